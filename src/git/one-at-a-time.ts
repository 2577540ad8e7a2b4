// Runs share one clone, and git refuses to lock a ref or the list of worktrees twice. One queue per clone, in this process.
const tails = new Map<string, Promise<void>>();

export async function oneAtATime<T>(clone: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(clone) ?? Promise.resolve();
  const mine = before.then(work);
  const tail = mine.then(
    () => {},
    () => {},
  );
  tails.set(clone, tail);
  try {
    return await mine;
  } finally {
    if (tails.get(clone) === tail) tails.delete(clone);
  }
}
