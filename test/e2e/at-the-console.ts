// What a person does at the console, by keys, and what is read from its screen.
import type { TestTerminal } from '../support/terminal.ts';

/** For what agents have to work for. */
export const patient = { timeoutMs: 120_000 };

/** A key at a time: a person is slower than one chunk. */
export async function type(terminal: TestTerminal, text: string): Promise<void> {
  for (const character of text) {
    terminal.write(character);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The line that the prompt asks for, with the first option of each decision. */
export function asked(terminal: TestTerminal, token: string): string {
  const form = terminal.text().find((row) => row.trim().endsWith(token) && !row.includes('>')) ?? '';
  return form.trim().replaceAll('_', 'A');
}

/** Moves the selection onto a run of the grid. Each step is waited for: an Enter in one chunk with text is none. */
export async function select(terminal: TestTerminal, task: string): Promise<void> {
  terminal.write('/');
  await type(terminal, task);
  await terminal.waitForText(`/${task}▏`, patient);
  terminal.write('\r');
  await terminal.waitForText(`filter /${task}`, patient);
  await terminal.waitForText(new RegExp(`^▸ .*${task}`, 'm'), patient);
  terminal.write('\u001b');
  await terminal.waitForScreen((lines) => !lines.join('\n').includes('filter /'), 'the whole list', patient);
}

export function titled(terminal: TestTerminal, section: string): boolean {
  return (terminal.text()[0] ?? '').includes(`› ${section}`);
}

export function taskInTitle(terminal: TestTerminal): string {
  return /TB-\d+/.exec(terminal.text()[0] ?? '')?.[0] ?? '';
}
