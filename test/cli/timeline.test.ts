import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/timeline/item.ts';
import { runBuilt } from '../support/run-program.ts';
import { type TemporaryHome, temporaryHome } from '../support/temporary-home.ts';
import { at, makeRunFolder, run, writeTranscript } from './support/run-folder.ts';

const gatehouse = (home: TemporaryHome, ...args: string[]) =>
  runBuilt('gatehouse', args, { env: home.env, cwd: home.root });

describe('timeline', () => {
  test("comes from the runtime's own transcript, with the transitions in between", async () => {
    await using home = temporaryHome();
    writeTranscript(makeRunFolder(home.gatehouseHome));
    const { stdout, code } = await gatehouse(home, 'timeline', run);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
    expect(lines[0]).toBe('2026-03-01');
    const order = ['10:01:00 told Find the cause', '10:02:00 tool bash: npm test', '10:02:00 result FAILED red'];
    const places = [...order, '10:03:00 stage diagnose -> draft (agent): diagnosis complete'].map((line) =>
      lines.indexOf(line),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('done [masked]');
  });

  test('without a transcript it shows markers and history, and says so', async () => {
    await using home = temporaryHome();
    makeRunFolder(home.gatehouseHome);
    const { stdout } = await gatehouse(home, 'timeline', run, '--json');
    const found = JSON.parse(stdout) as {
      source: string;
      notes: string[];
      items: { at: string; kind: string; text: string }[];
    };
    expect(found.source).toBe('recording');
    expect(found.notes.join(' ')).toContain('no transcript');
    // Marker times are sums of intervals, output events included.
    expect(found.items.filter((item) => item.kind === 'marker')).toEqual([
      { at: '2026-03-01T10:00:00.500Z', kind: 'marker', text: 'session 1' },
      { at: '2026-03-01T10:01:01.750Z', kind: 'marker', text: 'stage draft' },
    ]);
    expect(found.items.filter((item) => item.kind === 'stage').map((item) => item.at)).toEqual([
      at(0),
      at(0),
      at(3),
      at(5),
      at(6),
    ]);
  });

  test('a recording and a transcript can be named as files; nothing else can', async () => {
    await using home = temporaryHome();
    const place = makeRunFolder(home.gatehouseHome);
    writeTranscript(place);
    expect((await gatehouse(home, 'timeline', place.recording)).stdout).toContain('marker  stage draft');
    expect((await gatehouse(home, 'timeline', `${place.runtime}/scripted/s-1.jsonl`)).stdout).toContain('told');
    const missing = await gatehouse(home, 'timeline', 'nothing');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('neither a run nor a file');
    expect((await gatehouse(home, 'timeline', place.launch)).code).toBe(1);
  });

  test('what has no time stays behind what came before it', () => {
    const item = (time: string | null, text: string) => ({ at: time, kind: 'assistant', text });
    const merged = inOrder([
      [item(null, 'a'), item(at(2), 'c'), item(null, 'd')],
      [item(at(1), 'b'), item(at(3), 'e')],
    ]);
    expect(merged.map(({ text }) => text).join('')).toBe('abcde');
  });
});
