// One host per home. The lock is the kernel's (through SQLite's exclusive file lock): it goes with the process,
// however that ends, it cannot be stolen from a live one, and a stopped host still holds it.
import { DatabaseSync } from 'node:sqlite';

export interface HostLock {
  release(): void;
}

/** Null when another process holds it. */
export function acquireHostLock(path: string): HostLock | null {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    throw error;
  }
  return { release: () => database.close() };
}
