// Recordings for tests, made by the real writer with a clock of our own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastWriter, type WriterOptions } from '../../src/recording/writer.ts';

export interface MadeRecording extends Disposable {
  readonly folder: string;
  readonly path: string;
}

export function makeRecording(
  fill: (writer: CastWriter, pass: (ms: number) => void) => void,
  options: Pick<WriterOptions, 'policy'> = {},
): MadeRecording {
  const folder = mkdtempSync(join(tmpdir(), 'gh-cast-'));
  const path = join(folder, 'session.cast');
  let now = 1_800_000_000_000;
  const writer = new CastWriter({ path, cols: 40, rows: 10, title: 'demo', now: () => now, ...options });
  fill(writer, (ms) => (now += ms));
  writer.close();
  return { folder, path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Some minutes of a session that paints, resizes, scrolls and changes screens. `events` outputs of about 200 bytes. */
export function busySession(events: number): (writer: CastWriter, pass: (ms: number) => void) => void {
  return (writer, pass) => {
    for (let index = 0; index < events; index += 1) {
      pass((index * 37) % 400);
      if (index % 97 === 0) writer.marker(`stage ${index}`);
      if (index % 131 === 130) writer.resize(30 + (index % 50), 8 + (index % 9));
      if (index % 71 === 70) writer.output(Buffer.from(index % 142 === 70 ? '\x1b[?1049h\x1b[2J' : '\x1b[?1049l'));
      const color = 31 + (index % 7);
      const text = `\x1b[${(index % 8) + 1};${(index % 20) + 1}H\x1b[${color}m${'漢字 wörd '.repeat(index % 12)}\x1b[m`;
      writer.output(Buffer.from(index % 3 === 0 ? `${text}\r\nline ${index}\r\n` : text));
    }
    writer.exit(0);
  };
}
