// A program in a PTY, timed by what it writes.
import nodePty from 'node-pty';
import { cpuMs } from './process-cost.ts';

export interface Measured {
  /** From spawn to the first byte. */
  readonly firstByteMs: number;
  keyToPaint(key: string, mark: string): Promise<number>;
  waitFor(mark: string): Promise<number>;
  /** Bytes written within a time in which nothing is typed. */
  bytesDuring(ms: number): Promise<number>;
  cpuMs(): number;
  close(): Promise<void>;
}

/** @param argv program and arguments. */
export async function openMeasured(argv: readonly string[], size: { cols: number; rows: number }): Promise<Measured> {
  const startedAt = performance.now();
  const [program = '', ...args] = argv;
  const pty = nodePty.spawn(program, args, {
    ...size,
    env: { ...process.env, TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '' },
    name: 'xterm-256color',
  });
  let listener: (text: string) => void = () => {};
  let seen = '';
  let total = 0;
  let firstAt = 0;
  const first = Promise.withResolvers<void>();
  pty.onData((text) => {
    if (firstAt === 0) {
      firstAt = performance.now();
      first.resolve();
    }
    total += Buffer.byteLength(text);
    seen = (seen + text).slice(-200_000);
    listener(text);
  });
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  await Promise.race([first.promise, exited]);
  const until = (mark: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`"${mark}" was not painted within 20 s:\n${seen.slice(-2000)}`)),
        20_000,
      );
      listener = (text) => {
        if (!text.includes(mark)) return;
        clearTimeout(timer);
        listener = () => {};
        resolve(performance.now());
      };
    });
  return {
    firstByteMs: firstAt - startedAt,
    keyToPaint: async (key, mark) => {
      const painted = until(mark);
      const typedAt = performance.now();
      pty.write(key);
      return (await painted) - typedAt;
    },
    waitFor: async (mark) => (seen.includes(mark) ? performance.now() : await until(mark)) - startedAt,
    bytesDuring: async (ms) => {
      const before = total;
      await new Promise((resolve) => setTimeout(resolve, ms));
      return total - before;
    },
    cpuMs: () => cpuMs(pty.pid),
    close: async () => {
      pty.kill('SIGTERM');
      await exited;
    },
  };
}
