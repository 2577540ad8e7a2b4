// The first frame, painted before React, Ink and the client are loaded, and the ears for the first keys. Loads next to
// nothing; what it creates is handed over to the console as it is.
import { fit } from './text/cells.ts';
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
  const frame = [
    theme.bar(fit(` ${theme.bold('gatehouse')}`, cols)),
    ...Array.from({ length: Math.max(0, rows - 2) }, () => ''),
    fit(theme.quiet(' loading; keys are kept'), cols),
  ];
  terminal.painter.paint(frame, { cols, rows }, null);
  return { terminal, theme };
}
