// A control group with little memory, for one test: what allocates in it is ended by the kernel, and nothing else is.
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version 1, and the root of version 2: the file that limits a group made there. */
const places = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
] as const;

export class MemoryGroup implements Disposable {
  /** Who writes its pid in here belongs to the group. */
  readonly members: string;
  private readonly path: string;

  private constructor(path: string) {
    this.path = path;
    this.members = join(path, 'cgroup.procs');
  }

  /** Null where none can be made. */
  static make(bytes: number): MemoryGroup | null {
    for (const { root, limit } of places) {
      const path = join(root, `gatehouse-test-${process.pid}`);
      try {
        mkdirSync(path);
      } catch {
        continue;
      }
      const group = new MemoryGroup(path);
      try {
        writeFileSync(join(path, limit), String(bytes));
        return group;
      } catch {
        group[Symbol.dispose]();
      }
    }
    return null;
  }

  /** Only once it is empty. */
  [Symbol.dispose](): void {
    rmdirSync(this.path);
  }
}
