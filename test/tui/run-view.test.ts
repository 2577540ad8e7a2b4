import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import type { Evidence } from '../../src/core/state.ts';
import { createTheme } from '../../src/tui/text/theme.ts';
import { diffRows } from '../../src/tui/run/diff-rows.ts';
import { imagePairs } from '../../src/tui/run/image-rows.ts';
import { nativeAllowed } from '../../src/tui/run/image-viewer.ts';
import { markdownRows } from '../../src/tui/run/markdown-rows.ts';
import { FakeClient } from './support/fake-client.ts';
import { openRig } from './support/open-rig.ts';
import { diffText, ideaText, sampleDetail, sampleRun } from './support/sample-runs.ts';

const plain = createTheme({ TERM: 'dumb' });
const atGate1 = () => sampleRun(3, { stage: 'await-development' });
const withDetail = (run = atGate1(), change: Partial<RunDetail> = {}) => {
  const client = new FakeClient([run]);
  client.details.set(run.id, sampleDetail(run, change));
  return client;
};

describe('the run view', () => {
  test('opens where the decision is taken: the question, the options, the whole proposal', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 120, rows: 60 });
    await rig.type('\r');
    const text = await rig.waitForText('Proposal: keep the list');
    expect(text).toContain('May development start?');
    expect(text).toContain('The list scrolls inside the dialog; the buttons stay visible (recommended)');
    expect(text).toContain('<!-- a comment that must be seen -->');
    expect(text).toContain('drawList(canvas');
  });

  test('below the proposal stands what it rests on: the diagnosis, and each piece of evidence with its output', async () => {
    const rig = await openRig({ client: withDetail(), cols: 120, rows: 130 });
    await rig.type('\r');
    const text = await rig.waitForText('── evidence');
    expect(text).toMatch(/E1 +diagnose +exit 1 tidybuild list --json\s+output of tidybuild list --json\s+second line/);
    expect(text.indexOf('── idea.md')).toBeLessThan(text.indexOf('── diagnosis.md'));
    expect(text.indexOf('── diagnosis.md')).toBeLessThan(text.indexOf('── evidence'));
  });

  test('every section can be reached by number and by name', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 120, rows: 40 });
    await rig.type('\r');
    for (const [key, wanted] of [
      ['2', '+  const visible = rows.slice(0, 8);'],
      ['3', 'as recorded'],
      ['4', 'exit 1'],
      ['5', 'no images'],
      ['6', 'diagnosis complete'],
      ['7', 'Bash(npm test)'],
      ['8', 'in the order in which it is weighed'],
      ['d', '+  const visible'],
      ['A', 'idea.md'],
      ['9', 'no transcript'],
      ['l', 'no transcript'],
      ['e', 'decided'],
    ] as const) {
      await rig.type(key);
      expect(await rig.waitForText(wanted)).toContain(wanted);
    }
  });

  test('l shows what the agent did, from the grid and from within, the end first, inert', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 100, rows: 20 });
    const asked: string[] = [];
    rig.timeline = (run) => {
      asked.push(run.id);
      const at = '2026-01-05T10:00:00.000Z';
      const filler = Array.from({ length: 40 }, (_, index) => ({ at, kind: 'assistant', text: `thought ${index}` }));
      const items = [
        { at, kind: 'stage', text: 'start -> diagnose (engine): started' },
        ...filler,
        { at, kind: 'tool', tool: 'bash', text: 'npm \u001b[2Jtest' },
        { at: null, kind: 'tool-result', failed: true, text: '1 test failed' },
      ];
      return Promise.resolve({ of: run.id, source: 'transcript', notes: ['session 2 has no transcript'], items });
    };
    await rig.type('l');
    const text = await rig.waitForText('FAILED 1 test failed');
    expect(text).toMatch(/tool +bash: npm .*test/);
    expect(text).not.toContain('thought 3 ');
    await rig.type('g');
    expect(await rig.text()).toContain('session 2 has no transcript');
    expect(await rig.text()).toContain('start -> diagnose');
    await rig.type('e');
    await rig.type('l');
    await rig.waitForText('start -> diagnose');
    expect(asked).toEqual([atGate1().id]);
  });

  test('a halted run says why, and what can be done', async () => {
    const rig = await openRig({
      runs: [sampleRun(11, { stage: 'halted', halt: 'review cap reached', reviewCount: 6 })],
      cols: 100,
      rows: 40,
    });
    await rig.type('\r');
    const text = await rig.waitForText('HALTED');
    expect(text).toContain('review cap reached');
    expect(text).toContain('What you can do: read the reports; grant another round');
  });

  test('C087: a state that cannot be trusted is shown with the check that failed', async () => {
    const run = atGate1();
    const client = withDetail(run, {
      state: null,
      gate: null,
      stateError: {
        code: 'state.foreign',
        message: 'state.json was not written by the engine',
        hint: 'gatehouse restore RUN',
      },
    });
    const rig = await openRig({ client, cols: 100, rows: 40 });
    await rig.type('\r');
    expect(await rig.waitForText('State error')).toContain('was not written by the engine');
    await rig.type('t');
    await rig.waitForText('Nothing can be approved');
  });

  test('what changed since it was presented before comes first', async () => {
    const run = atGate1();
    const client = new FakeClient([run], {
      'run.artifact': ({ name }) => ({
        name,
        sha256: 'a'.repeat(64),
        text: 'one\nnew line\n',
        previous: 'one\nold line\n',
      }),
    });
    const rig = await openRig({ client, cols: 100, rows: 50 });
    await rig.type('\r');
    const text = await rig.waitForText('+new line');
    expect(text).toContain('-old line');
    expect(text).toContain('changed since it was presented before');
  });

  test('a dialog is answered with one of its own choices, and names the dialog', async () => {
    const run = sampleRun(1, { stage: 'diagnose', activity: 'blocked', needsMe: true, needsMeReason: 'asks' });
    const client = new FakeClient([run], { 'run.answer': () => ({ answered: true }) });
    client.details.set(
      run.id,
      sampleDetail(run, {
        dialog: {
          id: 'd1',
          guessed: false,
          name: 'permission',
          text: 'Allow tool: bash\nrm -rf out',
          choices: [
            { key: '1', label: 'Approve' },
            { key: '2', label: 'Deny' },
          ],
        },
      }),
    );
    const rig = await openRig({ client, cols: 100, rows: 40 });
    await rig.type('\r');
    await rig.waitForText('The session asks (permission)');
    await rig.type('\r');
    await rig.typeSlowly('9');
    await rig.type('\r');
    expect(await rig.text()).toContain('no choice "9"');
    await rig.type('\u007f');
    await rig.typeSlowly('2');
    await rig.type('\r');
    await rig.waitForText('answered "Deny"');
    expect(client.asked.find((each) => each.method === 'run.answer')?.params).toMatchObject({
      run: run.id,
      dialog: 'd1',
      choice: '2',
    });
  });

  test('! goes on to the next run that needs a person, at its decision', async () => {
    const rig = await openRig({ runs: [atGate1(), sampleRun(8, { stage: 'await-testing' })], cols: 100, rows: 40 });
    await rig.type('\r');
    const first = /TB-\d+/.exec((await rig.text()).split('\n')[1] ?? '')?.[0];
    await rig.type('!');
    const second = /TB-\d+/.exec((await rig.text()).split('\n')[1] ?? '')?.[0];
    expect(new Set([first, second])).toEqual(new Set(['TB-104', 'TB-109']));
  });

  test('search finds text further down', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 80, rows: 20 });
    await rig.type('\r');
    await rig.waitForText('May development start?');
    await rig.type('/');
    await rig.typeSlowly('translated');
    await rig.type('\r');
    expect(await rig.waitForText('is never translated')).not.toContain('May development start?');
  });

  test('a wide window shows the state and the live screen beside it', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 200, rows: 60 });
    await rig.type('\r');
    const text = await rig.waitForText('12 passed');
    expect(text).toContain('worktree');
    expect(text).toContain('May development start?');
  });
});

describe('rendering', () => {
  test('Markdown hides nothing and keeps within its width', () => {
    const rows = markdownRows(ideaText, 40, plain);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(40);
    const shown = rows.join('').replaceAll(/[\s│]/g, '');
    for (const text of ['eight', 'clear-cache-dialog.js', '420x320', 'mustbeseen', 'キャッシュ', 'Recommended:B'])
      expect(shown).toContain(text);
  });

  test('an escaped character of Markdown begins nothing, and a code span may hold backticks', () => {
    expect(markdownRows('B2: \\`--scroll\\` shows \\*\\*more\\*\\* (E1)', 60, plain)).toEqual([
      'B2: `--scroll` shows **more** (E1)',
    ]);
    expect(markdownRows('say ``a ` b`` and `c` and **d**', 60, plain)).toEqual(['say a ` b and c and d']);
  });

  test('a diff knows where each file begins', () => {
    const { rows, files } = diffRows(diffText, 80, plain);
    expect(files.map((file) => file.name)).toEqual(['src/picture/clear-cache-dialog.js', 'test/picture.test.js']);
    for (const file of files) expect(rows[file.row]).toContain(file.name);
  });

  test('images are paired by name, the newest of each side', () => {
    const image = (id: string, pair: Evidence['pair']): Evidence => {
      const [first] = sampleDetail(atGate1()).state?.evidence ?? [];
      if (first === undefined) throw new Error('the sample has evidence');
      return { ...first, id, kind: 'image', file: `${id}.png`, pair };
    };
    const pairs = imagePairs([
      image('E1', { side: 'before', name: 'dialog' }),
      image('E2', { side: 'after', name: 'dialog' }),
      image('E3', { side: 'after', name: 'dialog' }),
      image('E4', null),
    ]);
    expect(pairs.map((pair) => [pair.name, pair.before?.id, pair.after?.id])).toEqual([
      ['dialog', 'E1', 'E3'],
      ['E4', undefined, 'E4'],
    ]);
  });

  test('C110: native pictures only where the terminal has them, never inside a multiplexer', () => {
    expect(nativeAllowed({ TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' })).toBe(true);
    expect(nativeAllowed({ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' })).toBe(true);
    expect(nativeAllowed({ TERM: 'xterm-256color' })).toBe(false);
    expect(nativeAllowed({ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1', TMUX: '/tmp/x' })).toBe(false);
    expect(nativeAllowed({ TERM: 'screen', KITTY_WINDOW_ID: '1' })).toBe(false);
  });
});
