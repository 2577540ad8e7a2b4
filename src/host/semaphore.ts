/** Lets at most `limit` of the given works run at once; the others wait in order. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(limit: number) {
    this.free = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
