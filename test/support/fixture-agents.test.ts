import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, killAll, processesWithEnv } from './processes.ts';
import { openTerminal, type TestTerminal } from './terminal.ts';
import { waitFor } from './wait-for.ts';

describe('fixture agents do what their names say', () => {
  it('never-dies', async () => {
    await using terminal = open('never-dies');
    await terminal.waitForText(/ready \d+/);
    process.kill(terminal.pid, 'SIGTERM');
    await terminal.waitForText('got SIGTERM');
    expect(isAlive(terminal.pid)).toBe(true);
  });

  it('floods', async () => {
    await using terminal = open('floods', '1000000');
    await terminal.waitForText('done');
    expect(terminal.raw().length).toBeGreaterThanOrEqual(1_000_000);
  });

  it('alternate-screen', async () => {
    await using terminal = open('alternate-screen');
    await terminal.waitForText('in the alternate screen');
    expect(terminal.emulator.buffer.active.type).toBe('alternate');
    terminal.write('q');
    await terminal.waitForText('before\nafter');
    expect(terminal.emulator.buffer.active.type).toBe('normal');
  });

  it('split-utf8', async () => {
    await using terminal = open('split-utf8');
    await terminal.waitForText('żółw 构建产物 👩‍💻 red end');
  });

  it('exits-3', async () => {
    await using terminal = open('exits-3');
    expect(await terminal.exit).toEqual({ code: 3, signal: null });
    await terminal.waitForText('last words');
  });

  it('setsid-grandchild', async () => {
    const mark = `grandchild-${process.pid}`;
    await using terminal = open('setsid-grandchild', 'leave', { FIXTURE_MARK: mark });
    await terminal.waitForText('grandchild started');
    await terminal.exit;
    expect(await waitFor(() => processesWithEnv('FIXTURE_MARK', mark).length, { what: 'the grandchild' })).toBe(1);
    await killAll(() => processesWithEnv('FIXTURE_MARK', mark));
  });

  it('never-reads', async () => {
    await using terminal = open('never-reads');
    await terminal.waitForText('ready');
    terminal.write('abc');
    expect(terminal.text().join('')).toBe('ready');
  });

  it('echoes-hash', async () => {
    await using terminal = open('echoes-hash');
    await terminal.waitForText('ready');
    const text = 'żółw\r\n\u001b[200~paste\u001b[201~';
    terminal.write(text);
    terminal.write('\u0004');
    await terminal.waitForText(`bytes ${Buffer.byteLength(text)}`);
    await terminal.waitForText(createHash('sha256').update(text).digest('hex'));
  });
});

function open(name: string, argument = '', env: Record<string, string> = {}): TestTerminal {
  const file = join(import.meta.dirname, '../fixtures/agents', `${name}.mjs`);
  const args = argument === '' ? [file] : [file, argument];
  return openTerminal({ command: process.execPath, args, env: { PATH: process.env['PATH'] ?? '', ...env }, cols: 100 });
}
