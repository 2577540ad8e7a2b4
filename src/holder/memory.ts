// Keeps the holder small: V8 gives memory back only when asked, and there is one holder per run. A full collection takes
// some 20 ms, so it waits for a quiet moment, and happens only when there was something to collect.
import { readProc } from '../platform/process-stat.ts';

const firstLookMs = 2_000;
const lookEveryMs = 20_000;
const quietMs = 200;
/** A session that is never quiet is not spared for ever. */
const mostPostponed = 5;

export class MemoryKeeper {
  private lastActivity = 0;
  private isDirty = true;
  private postponed = 0;
  private timer: NodeJS.Timeout;

  constructor() {
    this.timer = setTimeout(() => this.look(), firstLookMs);
  }

  /** Something was allocated: output, input, a session. */
  touched(): void {
    this.isDirty = true;
    this.lastActivity = Date.now();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private look(): void {
    this.timer = setTimeout(() => this.look(), lookEveryMs);
    if (!this.isDirty) return;
    if (Date.now() - this.lastActivity < quietMs && this.postponed < mostPostponed) {
      this.postponed += 1;
      return;
    }
    this.isDirty = false;
    this.postponed = 0;
    collect();
  }
}

/** Private memory of this process in bytes. */
export function privateBytes(): number {
  const text = readProc('/proc/self/smaps_rollup');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)];
  return kilobytes.reduce((sum, match) => sum + Number(match[1]) * 1024, 0);
}

/** Needs `--expose-gc`, which `holderArgv` passes; "last-resort" is the flavour that also gives pages back. */
function collect(): void {
  const { gc } = globalThis as { gc?: (options: object) => void };
  gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
