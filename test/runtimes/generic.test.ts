import { describe, expect, it } from 'vitest';
import { runtimeConfigSchema } from '../../src/core/config.ts';
import { adapterFor } from '../../src/runtimes/registry.ts';
import { createScreen } from '../../src/terminal/screen.ts';
import { launchContext } from './launch-context.ts';

const config = runtimeConfigSchema.parse({
  kind: 'generic',
  program: 'sh',
  args: ['--notes', '{instructions}'],
  resumeArgs: ['--continue', '{session}'],
  ready: 'ready>',
  submit: 'type-enter',
});

describe('generic runtime', () => {
  const adapter = adapterFor(config);
  it('is found on PATH, or missing with a hint', async () => {
    expect(await adapter.probe(config, process.env)).toMatchObject({ ok: true, version: 'unknown' });
    expect(await adapter.probe({ ...config, program: 'no-such-agent' }, process.env)).toMatchObject({
      ok: false,
      code: 'runtime.missing',
    });
  });
  it('is started with what its configuration says, and is given the prompt when it is ready', () => {
    const plan = adapter.launch(launchContext({ config, program: '/bin/sh' }));
    expect(plan).toMatchObject({ argv: ['/bin/sh', '--notes', '/r/INSTRUCTIONS.md'], promptIncluded: false });
    expect(adapter.ready).toEqual({ kind: 'text', pattern: /ready>/ });
  });
  it('C039: goes on with the recorded session', () => {
    const plan = adapter.launch(launchContext({ config, program: '/bin/sh', kind: 'resumed', runtimeSession: 's-1' }));
    expect(plan.argv.slice(-2)).toEqual(['--continue', 's-1']);
    expect(plan.sessionIdKnown).toBe('s-1');
  });
  it('C039: is given a name for its conversation when it is started, if it can go on with one', () => {
    const named = { ...config, args: ['--session', '{session}'] };
    const plan = adapter.launch(launchContext({ config: named, program: '/bin/sh' }));
    expect(plan.argv).toEqual(['/bin/sh', '--session', plan.sessionIdKnown]);
    expect(plan.sessionIdKnown).toMatch(/^[0-9a-f-]{36}$/);
    const { resumeArgs: _, ...forgets } = named;
    expect(adapter.launch(launchContext({ config: forgets, program: '/bin/sh' })).sessionIdKnown).toBeNull();
  });
  it('C001: claims nothing about its activity', () => {
    expect(adapter.reports).toBe(false);
    expect(adapter.titleHint('Working…')).toBeNull();
  });
});

describe('C024: dialogs of a program that nobody knows', () => {
  const see = (text: string, own: object = {}) => {
    const screen = createScreen({ cols: 80, rows: 24 });
    screen.writeNow(text.replaceAll('\n', '\r\n'));
    const { x, y } = screen.cursor;
    const view = { rows: screen.text(), cols: 80, title: '', cursor: { row: y, col: x } };
    screen.dispose();
    return adapterFor(runtimeConfigSchema.parse({ ...config, ...own })).dialog(view);
  };
  const list = 'Do you trust the files in this folder?\n\n ❯ Yes, proceed\n   No, exit\n\n Enter to confirm\n';

  it('are guessed from form and words together, and said to be guessed', () => {
    expect(see(list)).toMatchObject({ name: 'trust', guessed: true });
    expect(see(list)?.choices.map((each) => each.writes)).toEqual([['\r'], ['\u001b[B', '\r']]);
    expect(see('A new version is available.\n1) Update now\n2) Skip\n\nChoice: ')).toMatchObject({ name: 'update' });
    expect(see('Please log in with your browser.\nPress Enter to continue')).toMatchObject({ name: 'login' });
    expect(see('Paste your API key: ')).toMatchObject({ name: 'login', choices: [] });
    expect(see('Trust this workspace? [y/N] ')?.choices).toMatchObject([
      { label: 'yes (types y and Enter)', writes: ['y\r'] },
      { label: 'no (types N and Enter)', writes: ['N\r'] },
    ]);
  });

  it.each([
    ['words alone', 'Do you trust the files in this folder? Log in, then update now. A new version is available.\n'],
    ['form alone', 'Which one?\n ❯ Yes\n   No\n'],
    ['a dialog above the prompt of the program', `${list}\nready> `],
    ['prose above another prompt', 'I had to sign in with an API key and trust the folder.\n\nagent> '],
    ['a question that was answered', 'Trust this workspace? [y/N] y\nworking on it\n'],
    ['nothing', ''],
  ])('C006, C007: %s is none', (_what, text) => expect(see(text)).toBeNull());

  it('have the names and the keys that the configuration gives', () => {
    const licence = { name: 'licence', pattern: 'accept the (terms|licence)' };
    const dialogs = [{ ...licence, choices: [{ label: 'Accept', keys: ['a', '\r'] }] }];
    expect(see('Accept the terms? ', { dialogs })).toMatchObject({
      name: 'licence',
      text: 'Accept the terms?',
      choices: [{ key: '1', label: 'Accept', writes: ['a', '\r'] }],
    });
    expect(see('Accept the terms? ', { dialogs })).not.toHaveProperty('guessed');
    expect(see('I accept the terms.\nworking on it\n', { dialogs })).toBeNull();
    expect(see('Accept the terms?\n 1) Yes\n 2) No\n> ', { dialogs: [licence] })?.choices).toHaveLength(2);
  });

  it('a pattern that is none is refused with the configuration', () => {
    expect(runtimeConfigSchema.safeParse({ ...config, dialogs: [{ name: 'x', pattern: '(' }] }).success).toBe(false);
  });
});
