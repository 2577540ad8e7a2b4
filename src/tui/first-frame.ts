// The first frame, painted before React, Ink and the client are loaded, and the ears for the first keys. It must load next
// to nothing, so it writes its few plain characters itself; the terminal is given back here, however the work on it ends.
import { cursorTo, resetStyle } from './paint/escapes.ts';
import { ConsoleTerminal } from './terminal.ts';
import { type Theme, createTheme } from './text/theme.ts';

export interface OpenedConsole {
  readonly terminal: ConsoleTerminal;
  readonly theme: Theme;
}

/** The exit code, and what is printed once the terminal is given back. */
export interface Ending {
  readonly code: number;
  readonly text: string;
}

/** @returns the exit code. What `work` throws is thrown on; by then the terminal is as it was. */
export async function onTerminal(work: (opened: OpenedConsole) => Promise<Ending>): Promise<number> {
  const theme = createTheme(process.env);
  const terminal = new ConsoleTerminal(process.stdin, process.stdout);
  let ending: Ending;
  try {
    terminal.enter();
    paintFirstFrame(terminal, theme);
    ending = await work({ terminal, theme });
  } finally {
    terminal.leave();
  }
  process.stdout.write(ending.text);
  return ending.code;
}

function paintFirstFrame(terminal: ConsoleTerminal, theme: Theme): void {
  const { cols, rows } = terminal.size();
  const bar = theme.bar(` ${theme.bold('gatehouse')}${' '.repeat(Math.max(0, cols - 10))}`);
  const hint = theme.quiet(' loading; keys are kept'.slice(0, cols));
  terminal.write(
    `${cursorTo(0, 0)}${bar}${resetStyle}${rows > 1 ? `${cursorTo(rows - 1, 0)}${hint}${resetStyle}` : ''}`,
  );
}
