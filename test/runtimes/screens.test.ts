// Screens of the real programs, as recorded, and what their adapters make of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RuntimeName } from '../../src/core/config.ts';
import { adapterFor, defaultRuntimeConfig } from '../../src/runtimes/registry.ts';
import type { ScreenView } from '../../src/runtimes/screen-view.ts';
import { createScreen } from '../../src/terminal/screen.ts';

interface RecordedScreen {
  readonly name: string;
  /** Said of a screen that could not be brought about without the network. */
  readonly made?: string;
  readonly title: string;
  readonly cursor: ScreenView['cursor'];
  readonly rows: readonly string[];
  readonly faint: Readonly<Record<string, string>>;
}

const read = (runtime: string): { version: string; screens: RecordedScreen[] } =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', runtime, 'screens.json'), 'utf8'));

const view = (screen: RecordedScreen): ScreenView => ({
  ...screen,
  cols: 110,
  isFaint: (row, col) => screen.faint[row]?.[col] === '~',
});

const none = { dialog: null, draft: null, composer: 'none' };
const empty = { dialog: null, draft: null, composer: 'empty' };
const draft = (text: string) => ({ dialog: null, draft: text, composer: 'draft' });
const dialog = (name: string, choices: number) => ({ ...none, dialog: `${name}, ${choices} choices` });

const usual = {
  idle: empty,
  draft: draft('half a draft'),
  working: empty,
  'working on a tool': empty,
  queued: empty,
  'text typed while working': draft('queued message one'),
  interrupted: empty,
  resumed: empty,
  'not painted yet': none,
};
const expected: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  claude: {
    ...usual,
    'long paste in the composer': draft('[Pasted text #1 +299 lines]'),
    'provider fails': empty,
    permission: dialog('permission', 4),
    trust: dialog('trust', 2),
    'server of the repository': dialog('trust', 3),
    question: dialog('question', 4),
    'trust of another folder': dialog('trust', 2),
    'bypass warning': dialog('warning', 2),
    'security notes': dialog('warning', 1),
    theme: dialog('theme', 7),
    'theme, another marked': dialog('theme', 7),
    'key in the environment': dialog('login', 2),
    'not logged in': empty,
    login: dialog('login', 3),
    'login code': dialog('login', 0),
    'rate limit': dialog('rate limit', 3),
    'rate limit, tries again': empty,
    'rate limit, turn over': empty,
  },
  codex: {
    ...usual,
    'long paste in the composer': draft('[Pasted Content 7989 chars]'),
    permission: dialog('permission', 3),
    trust: dialog('trust', 2),
    'hooks review': dialog('hooks review', 3),
    login: dialog('login', 3),
    'login other': dialog('login', 2),
    'login key': dialog('login', 0),
    'login browser': dialog('login', 0),
    update: dialog('update', 3),
    'update told beside the composer': empty,
    'rate limit': dialog('rate limit', 3),
    'rate limit, tries again': empty,
    'rate limit, turn over': empty,
  },
  omp: {
    ...usual,
    'long paste in the composer': draft('📄 #1'),
    permission: dialog('permission', 2),
    'connection cut': empty,
    question: dialog('question', 3),
    'setup: sign in': dialog('setup', 10),
    'setup: model': dialog('setup', 0),
    'setup: glyphs': dialog('setup', 3),
    'setup: composer': dialog('setup', 8),
    'setup: theme': dialog('setup', 6),
    'no provider': empty,
  },
  opencode: {
    ...usual,
    'long paste in the composer': draft('[Pasted ~300 lines]'),
    'new session': empty,
    permission: dialog('permission', 3),
    question: dialog('question', 0),
    'no provider': dialog('login', 0),
    'typed into the list of providers': dialog('login', 0),
    update: dialog('update', 0),
    'no provider, its window closed': empty,
  },
};
/** Told beside the composer. */
const troubles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    'not logged in': 'login: Not logged in · Please run /login',
    'rate limit, turn over': 'rate limit: API Error: Request rejected (429) · scripted failure',
    'provider fails': 'provider error, goes on: API error · retrying in 1s · attempt 1/10',
    'rate limit, tries again': 'rate limit, goes on: 429 scripted failure · retrying in 3s · attempt 3/10',
  },
  codex: {
    'rate limit, tries again':
      'rate limit, goes on: Server is busy, reconnecting 1/2 Exceeded retry limit, last status: 429 Too Many Requests',
    'rate limit, turn over': 'rate limit: exceeded retry limit, last status: 429 Too Many Requests',
  },
  omp: { 'no provider': 'login: no model: it knows no provider that it is logged in to' },
  opencode: {
    'typed into the list of providers': 'login: no provider selected',
    'no provider, its window closed': 'login: no provider selected',
  },
};
const hints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: { idle: 'idle', working: 'working', 'working on a tool': 'working', interrupted: 'idle', permission: 'idle' },
  codex: {
    idle: 'idle',
    working: 'working',
    'working on a tool': 'working',
    interrupted: 'idle',
    permission: 'blocked',
  },
  omp: { idle: 'idle', working: 'working', 'working on a tool': 'working', interrupted: 'idle', permission: 'blocked' },
  opencode: {},
};

const runtimes = ['claude', 'codex', 'omp', 'opencode'] as const;
const everyDialog = runtimes.flatMap((runtime) => {
  const { screens } = read(runtime);
  return screens.filter((screen) => adapterFor(defaultRuntimeConfig(runtime)).dialog(view(screen)) !== null);
});
const everyTrouble = runtimes.flatMap((runtime) => Object.values(troubles[runtime] ?? {}));
const plainProse = ['Press Enter to continue', 'Do you trust this folder?', '❯ 1. Yes', '  2. No'];
/** What only the program draws, and no text of a conversation is. */
const isOfAComposer = (row: string) => /^\s*[╹─▔╌]{10,}|> ⬢ |^\s{20,}.*\besc$/u.test(row);

describe.each(runtimes)('%s', (runtime) => {
  const adapter = adapterFor(defaultRuntimeConfig(runtime));
  const { version, screens } = read(runtime);
  const look = (screen: ScreenView) => {
    const found = adapter.dialog(screen);
    const composer = adapter.composer(screen);
    return {
      dialog: found === null ? null : `${found.name}, ${found.choices.length} choices`,
      draft: composer.state === 'draft' ? composer.text : null,
      composer: composer.state,
    };
  };

  it('was recorded with the version that is proved', () => expect(version).toBe(adapter.provedVersion));

  it.each(screens.map((screen) => [screen.name, screen] as const))('C015, C024: %s', (name, screen) => {
    expect(look(view(screen))).toEqual(expected[runtime]?.[name]);
    const hint = hints[runtime]?.[name];
    expect([hint, undefined]).toContain(hint === undefined ? undefined : adapter.titleHint(screen.title));
  });

  it('C024: a failed model request is told where only the program writes', () => {
    const told = screens.flatMap((screen) => {
      const trouble = adapter.trouble(view(screen));
      const goesOn = trouble?.goesOn === true ? ', goes on' : '';
      return trouble === null ? [] : [[screen.name, `${trouble.name}${goesOn}: ${trouble.text}`]];
    });
    expect(Object.fromEntries(told)).toEqual(troubles[runtime]);
  });

  it('C006, C007: prose with every phrase of every dialog is none while the composer is there', () => {
    const phrases = everyDialog.flatMap(({ rows }) => rows.filter((row) => !isOfAComposer(row)));
    const idle = screens.find((each) => each.name === 'idle');
    if (idle === undefined) throw new Error('no idle screen');
    for (const prose of [[...plainProse, ...phrases], [...everyTrouble, ...phrases].map((row) => `  ${row}`)]) {
      const rows = [...prose, ...idle.rows];
      const faint = Object.fromEntries(
        Object.entries(idle.faint).map(([row, map]) => [Number(row) + prose.length, map]),
      );
      expect(look(view({ ...idle, rows, faint }))).toEqual(empty);
      expect(adapter.trouble(view({ ...idle, rows, faint }))).toBeNull();
    }
  });

  it('C001: a dialog is seen by its structure, whatever its words are', () => {
    for (const screen of screens.filter((each) => look(view(each)).dialog !== null)) {
      const rows = screen.rows.map((row) => row.replaceAll(/\p{L}{4,}/gu, (word) => 'z'.repeat(word.length)));
      expect([screen.name, adapter.composer(view({ ...screen, rows })).state]).toEqual([screen.name, 'none']);
    }
  });

  it('C016: colours within the text change nothing', () => {
    for (const screen of screens.filter((each) => look(view(each)).dialog !== null)) {
      const terminal = createScreen({ cols: 110, rows: 36 });
      const noise = (row: string) =>
        row.replaceAll(/./gu, (each, index: number) => `\u001b[3${index % 8};1m${each}\u001b[0m`);
      terminal.writeNow(`\u001b[?7l${screen.rows.map(noise).join('\r\n')}`);
      const rows = terminal.text();
      terminal.dispose();
      expect([screen.name, look(view({ ...screen, rows }))]).toEqual([screen.name, look(view(screen))]);
    }
  });

  it('C001: without a single word of its chrome nothing is claimed', () => {
    for (const screen of screens.filter((each) => each.name.startsWith('working'))) {
      const rows = screen.rows.map((row) => row.replaceAll(/[A-Za-z]{3,}/g, 'zork'));
      const seen = look(view({ ...screen, rows }));
      expect(seen.dialog).toBeNull();
    }
    expect(adapter.titleHint('zork')).toBeNull();
  });
});

describe('C055: a composer in windows of other widths', () => {
  const idle = (runtime: RuntimeName) => {
    const screen = read(runtime).screens.find((each) => each.name === 'idle');
    if (screen === undefined) throw new Error('no idle screen');
    return screen;
  };
  const composer = (runtime: RuntimeName, screen: RecordedScreen) =>
    adapterFor(defaultRuntimeConfig(runtime)).composer(view(screen));

  it('opencode: facts about the session beside it are no draft', () => {
    const screen = idle('opencode');
    const rows = screen.rows.map((row) => `${row.padEnd(115)}worktree:master`);
    expect(composer('opencode', { ...screen, rows })).toEqual({ state: 'empty' });
  });
  it('omp: a narrow status bar leaves the model out', () => {
    const screen = idle('omp');
    const rows = screen.rows.map((row) => (row.startsWith(' π > ') ? ' π > 📁 …tree ▶─0.1%──────────╎─┃──200K─' : row));
    expect(composer('omp', { ...screen, rows })).toEqual({ state: 'empty' });
  });
});

describe('answering a dialog', () => {
  const permission = (runtime: RuntimeName) => {
    const screen = read(runtime).screens.find((each) => each.name === 'permission');
    if (screen === undefined) throw new Error('no permission screen');
    return adapterFor(defaultRuntimeConfig(runtime)).dialog(view(screen));
  };
  it('moves from the marked choice to the wanted one, each key a write of its own', () => {
    expect(permission('claude')?.choices.map((each) => each.writes)).toEqual([
      ['\r'],
      ['\u001b[B', '\r'],
      ['\u001b[B', '\u001b[B', '\r'],
      ['\u001b[B', '\u001b[B', '\u001b[B', '\r'],
    ]);
    expect(permission('opencode')?.choices.at(-1)?.writes).toEqual(['\u001b[C', '\u001b[C', '\r']);
  });
  it('shows what is asked', () => {
    for (const runtime of ['claude', 'codex', 'omp', 'opencode'] as const)
      expect(permission(runtime)?.text).toContain('touch x.txt');
  });
});
