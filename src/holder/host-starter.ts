// Starts a host when there has been none for a while, so that an unattended night goes on. Owns no process: the host is
// detached, and the lock of its home decides which of several survives.
import { spawn } from 'node:child_process';
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';

/** How long a started host has before another is tried; grows up to the longest. */
const firstBackoffMs = 5_000;
const longestBackoffMs = 60_000;
/** Another holder of the same home has just started one. */
const stampFreshMs = 5_000;

export interface HostStarterOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly absenceMs: number;
  readonly stamp: string | null;
  /** A folder without which there is nothing to come back to; asked before a host is started. */
  readonly runDir: string;
  /** It is gone: somebody has taken the run away. */
  readonly onRunGone: () => void;
}

export class HostStarter {
  private readonly options: HostStarterOptions;
  private timer: NodeJS.Timeout | null = null;
  private backoffMs = firstBackoffMs;
  private present = false;
  private released = false;

  constructor(options: HostStarterOptions) {
    this.options = options;
  }

  hostArrived(): void {
    this.present = true;
    this.released = false;
    this.backoffMs = firstBackoffMs;
    this.stop();
  }

  hostLeft(): void {
    this.present = false;
    if (!this.released) this.arm(this.options.absenceMs);
  }

  /** The host goes on purpose. */
  release(): void {
    this.released = true;
  }

  /** Somebody waits for a host, so even one that went on purpose is needed again. */
  wanted(): void {
    if (this.present) return;
    this.released = false;
    this.arm(this.options.absenceMs);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private arm(delayMs: number): void {
    if (this.timer !== null || this.options.argv.length === 0) return;
    // Scattered, or the holders of fifty runs would all do it in the same moment.
    const scattered = delayMs * (1 + Math.random() / 2);
    this.timer = setTimeout(() => this.attempt(), scattered);
  }

  private attempt(): void {
    this.timer = null;
    if (!existsSync(this.options.runDir)) {
      this.options.onRunGone();
      return;
    }
    if (this.claimStamp()) {
      this.startHost();
      this.arm(this.backoffMs);
      this.backoffMs = Math.min(this.backoffMs * 2, longestBackoffMs);
    } else {
      this.arm(1_000);
    }
  }

  private claimStamp(): boolean {
    const { stamp } = this.options;
    if (stamp === null) return true;
    try {
      const before = statSync(stamp, { throwIfNoEntry: false });
      const age = before === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - before.mtimeMs);
      if (age < stampFreshMs) return false;
      if (before === undefined) writeFileSync(stamp, '', { mode: 0o600 });
      else utimesSync(stamp, new Date(), new Date());
    } catch {
      // The stamp only saves work; a host that is not needed ends by itself.
    }
    return true;
  }

  private startHost(): void {
    const [program = '', ...args] = this.options.argv;
    const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/', env: this.options.env });
    child.on('error', (error) => console.error(`the host could not be started: ${error.message}`));
    child.unref();
  }
}
