// One thing after the other. What waits is not lost when something before it fails.
export class SerialQueue {
  #tail: Promise<void> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work);
    this.#tail = mine.then(
      () => {},
      () => {},
    );
    return mine;
  }

  /** Resolves when what was asked before this call is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
