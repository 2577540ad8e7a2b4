// Everybody who looks at one run's screen: attached terminals get every byte, consoles get rows a few times a second.
// A viewer that is too slow loses bytes and gets the whole screen anew instead; nobody slows the run down.
import type { Screen } from '../terminal/screen.ts';
import type { ClientConnection } from './client-connection.ts';

/** A few screens full; more than that behind and a viewer is better off with the present screen. */
const behindBytes = 1024 * 1024;
/** Rows are worth nothing when they are old: a console that has not read the last ones gets none on top. */
const unreadRowsBytes = 64 * 1024;
const rowsMs = 250;

interface Attached {
  readonly client: ClientConnection;
  /** Dropping until its connection has drained. */
  behind: boolean;
  skippedBytes: number;
}

interface Watching {
  readonly client: ClientConnection;
  cols: number;
  rows: number;
  last: string;
}

export interface ViewerHooks {
  readonly input: (bytes: Uint8Array) => void;
  readonly resize: (cols: number, rows: number) => Promise<void>;
}

export class Viewers {
  private readonly attached = new Set<Attached>();
  private readonly watching = new Map<ClientConnection, Watching>();
  private timer: NodeJS.Timeout | null = null;
  private readonly screen: () => Screen | null;
  private readonly hooks: ViewerHooks;
  private readonly run: string;

  constructor(run: string, screen: () => Screen | null, hooks: ViewerHooks) {
    this.run = run;
    this.screen = screen;
    this.hooks = hooks;
  }

  async attach(
    client: ClientConnection,
    mode: 'write' | 'read',
    size: { cols: number; rows: number },
  ): Promise<{ cols: number; rows: number; snapshot: string }> {
    const viewer: Attached = { client, behind: false, skippedBytes: 0 };
    client.whenClosed(() => this.attached.delete(viewer));
    if (mode === 'write') {
      await this.hooks.resize(size.cols, size.rows);
      client.keyboardOf = this.run;
      client.onInput = (bytes) => this.hooks.input(bytes);
    }
    const screen = this.screen();
    if (screen === null) return { ...size, snapshot: '' };
    const snapshot = await settledSnapshot(screen);
    // In the same turn as the snapshot: the next byte this viewer gets is the one that follows it.
    this.attached.add(viewer);
    return { cols: screen.cols, rows: screen.rows, snapshot };
  }

  output(bytes: Uint8Array): void {
    for (const viewer of this.attached) {
      if (viewer.behind) {
        viewer.skippedBytes += bytes.length;
        continue;
      }
      viewer.client.output(bytes);
      if (viewer.client.backlogBytes > behindBytes) void this.dropUntilDrained(viewer);
    }
  }

  resized(cols: number, rows: number): void {
    for (const { client } of this.attached) client.event({ event: 'resized', cols, rows });
  }

  ended(reason: string): void {
    for (const { client } of this.attached) {
      client.event({ event: 'ended', reason });
      client.end();
    }
    this.attached.clear();
  }

  /** Output was read from the recording past the viewers: they are shown the screen as it is now. */
  refresh(): void {
    for (const viewer of this.attached) void this.repaint(viewer);
    this.screenChanged();
  }

  watch(client: ClientConnection, size: { cols: number; rows: number }): void {
    if (!this.watching.has(client)) client.whenClosed(() => this.unwatch(client));
    this.watching.set(client, { client, ...size, last: '' });
    this.screenChanged();
  }

  unwatch(client: ClientConnection): void {
    this.watching.delete(client);
  }

  screenChanged(): void {
    if (this.watching.size === 0 || this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.publishRows();
    }, rowsMs);
  }

  private publishRows(): void {
    const screen = this.screen();
    if (screen === null) return;
    for (const watcher of this.watching.values()) {
      if (watcher.client.backlogBytes > unreadRowsBytes) {
        this.screenChanged();
        continue;
      }
      const { rows, title } = preview(screen, watcher.cols, watcher.rows);
      const text = `${title}\n${rows.join('\n')}`;
      if (text === watcher.last) continue;
      watcher.last = text;
      watcher.client.event({ event: 'screen.changed', run: this.run, rows, title });
    }
  }

  private async dropUntilDrained(viewer: Attached): Promise<void> {
    viewer.behind = true;
    viewer.skippedBytes = 0;
    await viewer.client.drained();
    viewer.behind = false;
    await this.repaint(viewer);
    viewer.client.event({ event: 'skipped', bytes: viewer.skippedBytes });
  }

  private async repaint(viewer: Attached): Promise<void> {
    const screen = this.screen();
    if (screen === null || viewer.behind) return;
    viewer.behind = true;
    const snapshot = await settledSnapshot(screen);
    viewer.behind = false;
    viewer.client.output(Buffer.from(snapshot));
  }
}

/** With everything on it that has arrived. */
async function settledSnapshot(screen: Screen): Promise<string> {
  await screen.flush();
  return screen.snapshot();
}

/** The last rows that hold something, as many as fit: a preview is about what happens now. */
function preview(screen: Screen, cols: number, rows: number): { rows: string[]; title: string } {
  const all = screen.styledRows({ width: cols });
  const end = all.findLastIndex((row) => row.text !== '') + 1;
  return { rows: all.slice(Math.max(0, end - rows), end).map((row) => row.ansi), title: screen.title };
}
