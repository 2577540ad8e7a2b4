import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prefixKey } from '../../src/tui/attach/prefix-keys.ts';
import { defaultSettings, readSettings } from '../../src/tui/settings.ts';

test('the console takes its detach key and what the clipboard may from config.json; a broken file changes nothing', async () => {
  const home = mkdtempSync('/tmp/gh-settings-');
  expect(await readSettings(home)).toEqual(defaultSettings);
  const write = (text: string) => writeFileSync(join(home, 'config.json'), text);
  write(JSON.stringify({ detachKey: 'C-g', clipboard: 'allow' }));
  expect(await readSettings(home)).toEqual({ prefix: prefixKey('C-g'), allowClipboard: true });
  expect(prefixKey('C-g')).not.toEqual(defaultSettings.prefix);
  write('{ "detachKey": ');
  expect(await readSettings(home)).toEqual(defaultSettings);
  rmSync(home, { recursive: true });
});
