// The recordings in sessions/ are whole, safe to show, and hold the way of a run from start to end.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Player } from '../../src/recording/player.ts';

const folder = join(import.meta.dirname, '../../sessions');
const files = readdirSync(folder).filter((name) => name.endsWith('.cast'));

describe('recordings that ship with the project', () => {
  test('are there', () => {
    expect(files).toContain('scripted-straight.cast');
  });

  test.each(files)('%s plays to its end and names its stages', async (name) => {
    await using player = await Player.open(join(folder, name));
    await player.seek(player.durationMs);
    expect(player.screen.text().join('').trim()).not.toBe('');
    const labels = player.marks.map((mark) => mark.label);
    expect(labels).toContain('session 1');
  });

  test.each(files.filter((name) => name.startsWith('scripted-')))(
    '%s goes from diagnosis to the merge',
    async (name) => {
      await using player = await Player.open(join(folder, name));
      const labels = player.marks.map((mark) => mark.label).join('\n');
      expect(labels).toMatch(
        /stage draft[\s\S]*await-development[\s\S]*implement[\s\S]*review[\s\S]*verify[\s\S]*submit[\s\S]*ready-for-testing/,
      );
    },
  );

  test.each(files)('%s holds no path of the machine that made it and no secret', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).not.toMatch(/\/root\/|\/home\/|\/work\/|gh[pos]_[A-Za-z0-9]{20}|sk-ant-/);
  });
});
