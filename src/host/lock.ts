// One host per home. The lock is the kernel's (through SQLite's exclusive file lock): it goes with the process,
// however that ends, it cannot be stolen from a live one, and a stopped host still holds it.
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface HostLock {
  /** False when the file was taken away: another host may hold a new one, and this one is not the home's any more. */
  isOurs(): boolean;
  release(): void;
}

/** Null when another process holds it. */
export function acquireHostLock(path: string): HostLock | null {
  // SQLite would make it readable for everybody.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    throw error;
  }
  const { ino, dev } = statSync(path);
  return {
    isOurs: () => {
      const now = statSync(path, { throwIfNoEntry: false });
      return now !== undefined && now.ino === ino && now.dev === dev;
    },
    release: () => database.close(),
  };
}
