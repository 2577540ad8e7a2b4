// How far effects were carried out, so that a host that was killed between a decision and its effect makes up for it. The
// number may lag (an effect is then given twice, and each is idempotent); it never runs ahead.
import { readFileSync, writeFileSync } from 'node:fs';

export class EffectLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null when nothing is on record. */
  read(): number | null {
    try {
      const seq = Number(readFileSync(this.#path, 'utf8').trim());
      return Number.isInteger(seq) && seq > 0 ? seq : null;
    } catch {
      return null;
    }
  }

  done(seq: number): void {
    try {
      writeFileSync(this.#path, `${seq}\n`, { mode: 0o600 });
    } catch {
      // The effect itself is done; at worst it is given once more.
    }
  }
}
