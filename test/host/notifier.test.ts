// What people outside are told: masked, inert, by every console and by the command of the configuration.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/core/config.ts';
import { Notifier } from '../../src/host/notifier.ts';
import { waitFor } from '../support/wait-for.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const secret = `gh${'p_'}${'aB3'.repeat(12)}`;

test.each([true, false])('a notice is one inert line without secrets; with bell: %s', async (bell) => {
  const folder = mkdtempSync('/tmp/gh-notice-');
  const file = join(folder, 'heard');
  const command = ['/bin/sh', '-c', `cat > ${file}.part && mv ${file}.part ${file}`];
  const heard: object[] = [];
  const notifier = new Notifier(configSchema.parse({ notifications: { bell, command } }), silent, (notice) =>
    heard.push(notice),
  );
  notifier.notify('t-1', 'gate', `waits\u0007\u001b]0;title\u0007 for\nyou: ${secret}\u202e`);
  await waitFor(() => existsSync(file), { what: 'the command to end' });
  const sent = JSON.parse(readFileSync(file, 'utf8')) as { run: string; why: string; text: string };
  expect(sent).toMatchObject({ run: 't-1', why: 'gate' });
  expect(sent.text).toContain('[masked]');
  // oxlint-disable-next-line no-control-regex
  expect(sent.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|ghp_/);
  expect(heard).toEqual([{ event: 'notice', level: 'warning', text: `t-1: ${sent.text}`, bell }]);
  rmSync(folder, { recursive: true });
});
