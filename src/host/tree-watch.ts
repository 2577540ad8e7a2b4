// Notices changes of the worktree and the artifacts in time. With a sandbox the artifacts suffice; without one the
// worktree is looked at every few seconds while its session does something: watches overflow and run out. A session
// that does nothing is looked at rarely, since each look starts git.
import { type FSWatcher, watch } from 'node:fs';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import { treeCpuTicks } from '../platform/process-usage.ts';

const settleMs = 300;
const rescanMs = 2_000;
/** What got away from its session's process tree is found by this. */
const quietRescanMs = 30_000;
/** What the timers of an idle program use between two looks. */
const idleTicks = 3;

export class TreeWatch {
  private watcher: FSWatcher | null = null;
  private settle: NodeJS.Timeout | null = null;
  private rescan: NodeJS.Timeout | null = null;
  private looking = false;
  private pid: number | null = null;
  private ticks = 0;
  private lookedAt = 0;
  private readonly paths: RunPaths;
  private readonly inspect: () => Promise<void>;
  private readonly log: Log;

  constructor(paths: RunPaths, inspect: () => Promise<void>, log: Log) {
    this.paths = paths;
    this.inspect = inspect;
    this.log = log;
  }

  set(pid: number | null, sandboxed: boolean): void {
    this.pid = pid;
    if (pid === null) {
      this.close();
      return;
    }
    if (this.watcher === null) this.start();
    if (!sandboxed && this.rescan === null) this.rescan = setInterval(() => this.lookIfBusy(), rescanMs);
  }

  close(): void {
    this.watcher?.close();
    this.watcher = null;
    if (this.settle !== null) clearTimeout(this.settle);
    if (this.rescan !== null) clearInterval(this.rescan);
    this.settle = null;
    this.rescan = null;
  }

  private start(): void {
    try {
      this.watcher = watch(this.paths.artifacts, () => this.soon());
      this.watcher.on('error', (error) =>
        this.log.warn('watching artifacts failed', { dir: this.paths.artifacts, error: String(error) }),
      );
    } catch (error) {
      this.log.warn('artifacts cannot be watched; they are looked at at every request', { error: String(error) });
    }
  }

  private soon(): void {
    this.settle ??= setTimeout(() => {
      this.settle = null;
      this.look();
    }, settleMs);
  }

  private lookIfBusy(): void {
    const ticks = this.pid === null ? 0 : treeCpuTicks(this.pid);
    // Fewer than before: a process has ended, which may have done anything before.
    const quiet = ticks >= this.ticks && ticks - this.ticks <= idleTicks;
    this.ticks = ticks;
    if (!quiet || Date.now() - this.lookedAt >= quietRescanMs) this.look();
  }

  private look(): void {
    if (this.looking) return;
    this.looking = true;
    this.lookedAt = Date.now();
    this.inspect()
      .catch((error: unknown) => this.log.error('inspecting a run failed', { error: String(error) }))
      .finally(() => {
        this.looking = false;
      });
  }
}
