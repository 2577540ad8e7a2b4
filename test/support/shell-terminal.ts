// A program under a shell in a terminal, so that what it leaves of the terminal can be looked at.
import { expect } from 'vitest';
import { type TerminalOptions, type TestTerminal, openTerminal } from './terminal.ts';

/** Says `exit CODE` and then how the line discipline stands (`icanon`, `echo`, with a `-` before what is off). */
const script =
  'printf "before\\n"; "$@"; echo "exit $?"; stty -a | grep -o -- "-\\?icanon\\|-\\?echo "; echo looked; read line';

export function openUnderShell(
  command: readonly string[],
  options: Omit<TerminalOptions, 'command' | 'args'>,
): TestTerminal {
  return openTerminal({ ...options, command: '/bin/sh', args: ['-c', script, 'sh', ...command] });
}

/** Waits for the program's end; its exit code, and the rows that it left behind. */
export async function untilEnded(
  terminal: TestTerminal,
  options: { timeoutMs?: number } = {},
): Promise<{ code: number; left: string[] }> {
  await terminal.waitForText(/^looked$/m, options);
  const rows = terminal.text();
  const end = rows.findLastIndex((row) => /exit \d+$/.test(row));
  const code = /exit (\d+)$/.exec(rows[end] ?? '')?.[1];
  return { code: Number(code), left: rows.slice(rows.indexOf('before') + 1, end) };
}

/** What a terminal is like when nothing has been changed. */
export function expectUntouched(terminal: TestTerminal): void {
  const { modes, buffer } = terminal.emulator;
  expect(buffer.active.type).toBe('normal');
  expect(modes).toMatchObject({
    applicationCursorKeysMode: false,
    applicationKeypadMode: false,
    bracketedPasteMode: false,
    insertMode: false,
    mouseTrackingMode: 'none',
    originMode: false,
    sendFocusMode: false,
    wraparoundMode: true,
  });
  const raw = terminal.raw().toString('latin1');
  const hidden = raw.lastIndexOf('\u001b[?25l');
  if (hidden !== -1) expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(hidden);
  expect(raw).not.toContain('\u001b[3J');
  expect(terminal.text()).toContain('before');
  expect(terminal.text().join('\n')).not.toMatch(/-icanon|-echo/);
}
