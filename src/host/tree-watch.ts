// Notices changes of the worktree and the artifacts in time. With a sandbox the artifacts suffice; without one the
// worktree is watched too, and looked at every few seconds whatever the watch says: watches overflow and run out.
import { type FSWatcher, watch } from 'node:fs';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';

const settleMs = 300;
const rescanMs = 2_000;

export class TreeWatch {
  private watcher: FSWatcher | null = null;
  private settle: NodeJS.Timeout | null = null;
  private rescan: NodeJS.Timeout | null = null;
  private looking = false;
  private readonly paths: RunPaths;
  private readonly inspect: () => Promise<void>;
  private readonly log: Log;

  constructor(paths: RunPaths, inspect: () => Promise<void>, log: Log) {
    this.paths = paths;
    this.inspect = inspect;
    this.log = log;
  }

  set(live: boolean, sandboxed: boolean): void {
    if (!live) {
      this.close();
      return;
    }
    if (this.watcher === null) this.start();
    if (!sandboxed && this.rescan === null) this.rescan = setInterval(() => this.look(), rescanMs);
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

  private look(): void {
    if (this.looking) return;
    this.looking = true;
    this.inspect()
      .catch((error: unknown) => this.log.error('inspecting a run failed', { error: String(error) }))
      .finally(() => {
        this.looking = false;
      });
  }
}
