// Notices changes of the worktree and the artifacts in time. Artifacts on record are watched and, since watches run out
// and overflow without a word, compared by their facts every few seconds. Without a sandbox the worktree is looked at as
// well while its session does something; a session that does nothing is looked at rarely, since each look starts git.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { treeCpuTicks } from '../platform/process-usage.ts';
import type { RunContext } from './run-context.ts';

const settleMs = 300;
const rescanMs = 2_000;
/** What got away from its session's process tree is found by this. */
const quietRescanMs = 30_000;
/** A watch that could not be had may be had later: other programs give theirs back. */
const retryMs = 60_000;
/** What the timers of an idle program use between two looks. */
const idleTicks = 3;

export class TreeWatch {
  private readonly run: Pick<RunContext, 'engine' | 'parts' | 'paths' | 'state'>;
  private watcher: FSWatcher | null = null;
  private settle: NodeJS.Timeout | null = null;
  private rescan: NodeJS.Timeout | null = null;
  private looking = false;
  private pid: number | null = null;
  private sandboxed = true;
  private ticks = 0;
  private lookedAt = 0;
  private seen = '';
  private failedAt: number | null = null;

  constructor(run: Pick<RunContext, 'engine' | 'parts' | 'paths' | 'state'>) {
    this.run = run;
  }

  /** False while the system gives no watch: changes are then seen by the next rescan. */
  get watches(): boolean {
    return this.failedAt === null;
  }

  set(pid: number | null, sandboxed: boolean): void {
    this.pid = pid;
    this.sandboxed = sandboxed;
    if (pid === null) return this.close();
    if (this.rescan !== null) return;
    this.seen = this.facts();
    this.start();
    this.rescan = setInterval(() => this.compare(), rescanMs);
  }

  close(): void {
    this.watcher?.close();
    this.watcher = null;
    this.failedAt = null;
    if (this.settle !== null) clearTimeout(this.settle);
    if (this.rescan !== null) clearInterval(this.rescan);
    this.settle = null;
    this.rescan = null;
  }

  private start(): void {
    try {
      this.watcher = watch(this.run.paths.artifacts, () => this.soon());
      this.watcher.on('error', (error) => this.failed(error));
      if (!this.watches) this.run.parts.touch();
      this.failedAt = null;
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    const { parts, paths } = this.run;
    this.watcher?.close();
    this.watcher = null;
    if (this.watches) {
      parts.log.warn('artifacts cannot be watched; they are compared every few seconds', {
        folder: paths.artifacts,
        error: String(error),
      });
      parts.touch();
    }
    this.failedAt = performance.now();
  }

  private soon(): void {
    this.settle ??= setTimeout(() => {
      this.settle = null;
      this.look();
    }, settleMs);
  }

  private compare(): void {
    if (this.failedAt !== null && performance.now() - this.failedAt >= retryMs) this.start();
    const facts = this.facts();
    const same = facts === this.seen;
    this.seen = facts;
    if (!same) this.look();
    else if (!this.sandboxed) this.lookIfBusy();
  }

  private lookIfBusy(): void {
    const ticks = this.pid === null ? 0 : treeCpuTicks(this.pid);
    // Fewer than before: a process has ended, which may have done anything before.
    const quiet = ticks >= this.ticks && ticks - this.ticks <= idleTicks;
    this.ticks = ticks;
    if (!quiet || performance.now() - this.lookedAt >= quietRescanMs) this.look();
  }

  private look(): void {
    if (this.looking) return;
    this.looking = true;
    this.lookedAt = performance.now();
    this.run.engine
      .inspect()
      .catch((error: unknown) => this.run.parts.log.error('inspecting a run failed', { error: String(error) }))
      .finally(() => {
        this.looking = false;
      });
  }

  /** The time of the last change of a file's facts is the one that no program can set back. */
  private facts(): string {
    const { paths, state } = this.run;
    return (state?.artifacts ?? [])
      .map(({ name }) => {
        const stat = statSync(join(paths.artifacts, name), { throwIfNoEntry: false });
        return `${stat?.ino} ${stat?.size} ${stat?.ctimeMs}`;
      })
      .join('\n');
  }
}
