// What the real programs ask at a first start, and what they say when their provider refuses: named, and nowhere is there
// a composer to type into.
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { type FirstStart, firstStart } from '../lab/first-start.ts';
import { openLab } from '../lab/lab.ts';
import { patienceMs } from '../lab/session.ts';
import { directives } from '../model/directives.ts';

const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
const composer = (start: FirstStart) => start.adapter.composer(start.screen()).state;

describe('C024: a first start', () => {
  it('claude: theme, security notes, trust', async () => {
    const env = { ...quiet, ANTHROPIC_AUTH_TOKEN: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    await using start = firstStart('claude', { env, args: ['please do this'] });
    const theme = await start.dialog('theme', /text style/);
    await start.choose(theme, /^Light mode$/);
    const notes = await start.dialog('warning', /Security notes/);
    await start.choose(notes, /Enter/);
    const trust = await start.dialog('trust', /one you trust/);
    expect(trust.choices.map((each) => each.label)).toEqual(['No, exit', 'Yes, I trust this folder']);
    expect(composer(start)).toBe('none');
    // The default would leave; the second choice is taken by its own keys.
    await start.choose(trust, /^Yes/);
    await waitFor(() => composer(start) !== 'none', { what: 'the composer', timeoutMs: patienceMs });
  });

  it('codex: login, and an API key to be typed', async () => {
    await using start = firstStart('codex', { args: ['--no-daemon', 'please do this'] });
    await start.choose(await start.dialog('login', /how you want to use Codex/), /another way/);
    await start.choose(await start.dialog('login', /another way/), /API key/);
    expect((await start.dialog('login', /Paste or type your API key/)).choices).toEqual([]);
    expect(composer(start)).toBe('none');
  });

  it('codex: trust, then an update', async () => {
    const provider =
      '[model_providers.x]\nname = "x"\nbase_url = "http://127.0.0.1:9"\nenv_key = "KEY"\nwire_api = "responses"\n';
    const version = { latest_version: '99.1.0', last_checked_at: new Date().toISOString(), dismissed_version: null };
    await using start = firstStart('codex', {
      args: ['--no-daemon'],
      env: { KEY: 'none' },
      files: {
        '.codex/config.toml': `model_provider = "x"\nmodel = "m"\n${provider}`,
        '.codex/version.json': JSON.stringify(version),
      },
    });
    const seen = new Set<string>();
    for (const name of ['update', 'trust']) {
      const dialog = await waitFor(() => start.adapter.dialog(start.screen()), { what: name, timeoutMs: patienceMs });
      seen.add(dialog.name);
      expect(composer(start)).toBe('none');
      await start.choose(dialog, /^(Skip|Trust and continue)$/);
      await waitFor(() => start.adapter.dialog(start.screen())?.name !== dialog.name, {
        what: `the end of ${dialog.name}`,
        timeoutMs: patienceMs,
      });
    }
    expect([...seen].toSorted()).toEqual(['trust', 'update']);
  });

  it('omp: setup, then nobody to talk to', async () => {
    await using start = firstStart('omp');
    // Its composer is drawn some seconds before.
    await start.dialog('setup', /step 1 of 5/);
    const steps = new Set<string>();
    let skipped = '';
    for (;;) {
      const text = await waitFor(
        () => {
          const dialog = start.adapter.dialog(start.screen());
          if (dialog === null) return start.adapter.trouble(start.screen()) === null ? null : 'over';
          return dialog.name === 'setup' && dialog.text !== skipped ? dialog.text : null;
        },
        { what: () => `the next step; screen:\n${start.terminal.text().join('\n')}`, timeoutMs: patienceMs },
      );
      if (text === 'over') break;
      expect(composer(start)).toBe('none');
      steps.add(text.split('\n')[0] ?? '');
      skipped = text;
      await start.press('\u001b');
    }
    expect([...steps]).toEqual([1, 2, 3, 4, 5].map((step) => `Setup step ${step} of 5`));
    expect(composer(start)).toBe('empty');
  });

  it('opencode: the list of providers lies over its composer', async () => {
    await using start = firstStart('opencode', {
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
      files: { '.config/opencode/opencode.json': JSON.stringify({ enabled_providers: ['anthropic'] }) },
    });
    await start.dialog('login', /^Connect a provider/);
    expect(composer(start)).toBe('none');
    await start.press('\u001b');
    await waitFor(() => start.adapter.trouble(start.screen())?.name === 'login', {
      what: () => `no provider; screen:\n${start.terminal.text().join('\n')}`,
      timeoutMs: patienceMs,
    });
  });
});

describe('C024: a provider that refuses', () => {
  it.each<['claude' | 'codex', number, string]>([
    ['claude', 429, 'rate limit'],
    ['claude', 401, 'login'],
    ['codex', 429, 'rate limit'],
    ['codex', 401, 'login'],
  ])('%s, %d: %s', async (runtime, status, name) => {
    await using lab = await openLab(runtime);
    lab.model.setPlan(directives({ failures: Number.POSITIVE_INFINITY }));
    const { config } = lab;
    lab.start({
      prompt: `please FAIL: ${status} now`,
      config: { ...config, env: { ...config.env, CLAUDE_CODE_MAX_RETRIES: '1' } },
    });
    await lab.waitForScreen('the end of the turn', (session) => {
      const trouble = lab.adapter.trouble(session.screen());
      return trouble?.name === name && !trouble.goesOn;
    });
    // Codex has no hook for it.
    const reported = { claude: 'failed', codex: 'working' }[runtime];
    await lab.waitForScreen('what is reported of it', () => lab.report()?.kind === reported);
    expect(lab.adapter.composer(lab.session.screen()).state).toBe('empty');
  });
});
