// The first frame, painted before React, Ink and the client are loaded, and the ears for the first keys. It must load next
// to nothing, so it writes its few plain characters itself; the terminal it opens is handed over to the console.
import { cursorTo, resetStyle } from './paint/escapes.ts';
import { ConsoleTerminal } from './terminal.ts';
import { type Theme, createTheme } from './text/theme.ts';

export interface OpenedConsole {
  readonly terminal: ConsoleTerminal;
  readonly theme: Theme;
}

export function openFirstFrame(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): OpenedConsole {
  const theme = createTheme(env);
  const terminal = new ConsoleTerminal(stdin, stdout);
  terminal.enter();
  const { cols, rows } = terminal.size();
  const bar = theme.bar(` ${theme.bold('gatehouse')}${' '.repeat(Math.max(0, cols - 10))}`);
  const hint = theme.quiet(' loading; keys are kept'.slice(0, cols));
  terminal.write(
    `${cursorTo(0, 0)}${bar}${resetStyle}${rows > 1 ? `${cursorTo(rows - 1, 0)}${hint}${resetStyle}` : ''}`,
  );
  return { terminal, theme };
}
