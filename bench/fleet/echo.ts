// How soon a typed key comes back from a session, over the operator socket and the holder.
import { setTimeout as delay } from 'node:timers/promises';
import type { AttachStream } from '../../src/client/client.ts';
import { type Fleet, fleetSize } from './fleet.ts';

/** Not among the words of an agent. */
const key = 'Q';
const giveUpMs = 10_000;
/** A terminal takes lines of a few thousand bytes. */
const keysPerLine = 50;

export class Echo {
  private readonly stream: AttachStream;
  private heard: () => void = () => {};

  static async open(fleet: Fleet, run: number): Promise<Echo> {
    const onOutput = (bytes: Buffer): void => {
      if (bytes.includes(key)) echo.heard();
    };
    const handlers = { onOutput, onEvent: () => {}, onEnd: () => {} };
    const echo = new Echo(await fleet.client.attach(fleet.id(run), 'write', fleetSize, handlers));
    return echo;
  }

  private constructor(stream: AttachStream) {
    this.stream = stream;
  }

  /** In milliseconds, with pauses, so that keys meet what goes on at every phase. */
  async times(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const heard = new Promise<void>((resolve) => (this.heard = resolve));
      const startedAt = performance.now();
      this.stream.write(Buffer.from(key));
      await Promise.race([heard, delay(giveUpMs)]);
      times.push(performance.now() - startedAt);
      await delay(20 + (n % 7) * 5);
      if (n % keysPerLine === keysPerLine - 1) this.stream.write(Buffer.from('\n'));
    }
    return times;
  }

  close(): void {
    this.stream.close();
  }
}
