// A terminal for tests: a program in a real PTY, read through a headless emulator. What the user would see is what
// tests look at. When waiting fails, the message shows the screen and the whole output is left behind as a recording.
import xterm from '@xterm/headless';
import nodePty from 'node-pty';
import { builtPrograms } from './paths.ts';
import { isAlive } from './processes.ts';
import { saveRecording, type RecordedChunk } from './terminal-recording.ts';
import { patienceMs, waitFor } from './wait-for.ts';

export interface TerminalCell {
  readonly text: string;
  /** Palette index, 24-bit colour as a number, or null for the default colour. */
  readonly foreground: number | null;
  readonly background: number | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
  readonly underline: boolean;
}

export interface TerminalExit {
  readonly code: number;
  readonly signal: number | null;
}

export interface TestTerminal extends AsyncDisposable {
  readonly pid: number;
  /** The modes of the emulated terminal and the active buffer, as xterm reports them. */
  readonly emulator: xterm.Terminal;
  readonly exit: Promise<TerminalExit>;
  /** Text as typed; bytes as they are. */
  write(input: string | Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** The lines on the screen, without trailing spaces. */
  text(): string[];
  cell(x: number, y: number): TerminalCell;
  /** Every byte the program has written so far. */
  raw(): Buffer;
  /** Waits until the screen, its lines joined with \n, contains or matches `wanted`. */
  waitForText(wanted: string | RegExp, options?: { timeoutMs?: number }): Promise<void>;
  waitForScreen(condition: (lines: string[]) => boolean, what: string, options?: { timeoutMs?: number }): Promise<void>;
}

export interface TerminalOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly cols?: number;
  readonly rows?: number;
  /** False for a terminal that does not answer DA, DSR and the like. */
  readonly answersQueries?: boolean;
}

/** A built program in a terminal. */
export function openBuilt(
  program: keyof typeof builtPrograms,
  options: Omit<TerminalOptions, 'command'>,
): TestTerminal {
  const args = [builtPrograms[program], ...(options.args ?? [])];
  return openTerminal({ ...options, command: process.execPath, args });
}

export function openTerminal(options: TerminalOptions): TestTerminal {
  const { command, args = [], env, cwd = '/', cols = 80, rows = 24, answersQueries = true } = options;
  const emulator = new xterm.Terminal({ cols, rows, scrollback: 1_000, allowProposedApi: true });
  const pty = nodePty.spawn(command, [...args], {
    cols,
    rows,
    cwd,
    env: { ...env },
    name: 'xterm-256color',
    encoding: null,
  });
  const startedAt = performance.now();
  const chunks: RecordedChunk[] = [];
  let unparsed = 0;

  pty.onData((data) => {
    // With `encoding: null` node-pty gives bytes, whatever its types say.
    const bytes = data as unknown as Buffer;
    chunks.push({ atMs: performance.now() - startedAt, bytes });
    unparsed += 1;
    emulator.write(bytes, () => {
      unparsed -= 1;
    });
  });
  if (answersQueries) emulator.onData((reply) => pty.write(reply));
  const exit = new Promise<TerminalExit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal: signal || null }));
  });

  const text = (): string[] => screenLines(emulator);
  const waitForScreen: TestTerminal['waitForScreen'] = async (condition, what, { timeoutMs = patienceMs } = {}) => {
    const describe = (): string => {
      const path = saveRecording(chunks, { cols: emulator.cols, rows: emulator.rows, title: what });
      return `${what}; recording: ${path}; screen:\n${text().join('\n')}`;
    };
    await waitFor(() => unparsed === 0 && condition(text()), { what: describe, timeoutMs });
  };

  return {
    pid: pty.pid,
    emulator,
    exit,
    write: (input) => pty.write(input as string),
    resize: (newCols, newRows) => {
      emulator.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    text,
    cell: (x, y) => readCell(emulator, x, y),
    raw: () => Buffer.concat(chunks.map(({ bytes }) => bytes)),
    waitForScreen,
    waitForText: (wanted, waitOptions) =>
      waitForScreen(
        (lines) => (typeof wanted === 'string' ? lines.join('\n').includes(wanted) : wanted.test(lines.join('\n'))),
        `${wanted} on the screen`,
        waitOptions,
      ),
    async [Symbol.asyncDispose]() {
      if (isAlive(pty.pid)) pty.kill('SIGKILL');
      await exit;
      emulator.dispose();
    },
  };
}

function screenLines(emulator: xterm.Terminal): string[] {
  const { active } = emulator.buffer;
  return Array.from(
    { length: emulator.rows },
    (_, y) => active.getLine(active.baseY + y)?.translateToString(true, 0, emulator.cols) ?? '',
  );
}

function readCell(emulator: xterm.Terminal, x: number, y: number): TerminalCell {
  const { active } = emulator.buffer;
  const cell = active.getLine(active.baseY + y)?.getCell(x);
  if (!cell) throw new RangeError(`no cell at ${x},${y}`);
  return {
    text: cell.getChars(),
    foreground: cell.isFgDefault() ? null : cell.getFgColor(),
    background: cell.isBgDefault() ? null : cell.getBgColor(),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}
