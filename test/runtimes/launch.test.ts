// How each program is started, as far as it can be said without starting it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LaunchContext } from '../../src/runtimes/adapter.ts';
import { toml } from '../../src/runtimes/codex/toml.ts';
import { adapterFor, defaultRuntimeConfig } from '../../src/runtimes/registry.ts';
import { shellQuote } from '../../src/runtimes/shell-quote.ts';
import { launchContext } from './launch-context.ts';

const root = mkdtempSync(join(tmpdir(), 'gh-launch-'));
const instructionsFile = join(root, 'INSTRUCTIONS.md');
writeFileSync(instructionsFile, 'Do "this", and only this.\n');
const skillsDir = join(root, 'skills');
mkdirSync(join(skillsDir, 'lattice-demo'), { recursive: true });
writeFileSync(join(skillsDir, 'lattice-demo', 'SKILL.md'), 'a skill\n');
afterAll(() => rmSync(root, { recursive: true }));

type Name = 'claude' | 'codex' | 'omp' | 'opencode';
const plan = (runtime: Name, more: Partial<LaunchContext> = {}) => {
  const config = defaultRuntimeConfig(runtime);
  return adapterFor(config).launch(launchContext({ instructionsFile, skillsDir, config, ...more }));
};

describe.each(['claude', 'codex', 'omp', 'opencode'] as const)('%s', (runtime) => {
  it('C039: a resumed session is asked for by its id, a fresh one never', () => {
    const resumed = plan(runtime, { kind: 'resumed', runtimeSession: 'session-1' });
    expect(resumed.argv).toContain('session-1');
    expect(resumed.sessionIdKnown).toBe('session-1');
    expect(plan(runtime, { kind: 'fresh', runtimeSession: 'session-1' }).argv).not.toContain('session-1');
  });

  it('writes only into the run’s own folder, and never the operator’s settings', () => {
    const { files, stores } = plan(runtime);
    for (const { path } of files) expect(path).toMatch(/^\/h\/runs\/TB-101-a1\/runtime\//);
    const obeyed = stores.flatMap(({ settings }) => settings);
    expect(obeyed.some((name) => /config|settings|\.json|\.toml|\.yml/.test(String(name)))).toBe(true);
    for (const { shared, settings } of stores) for (const name of shared) expect(settings).not.toContain(name);
  });

  it('leaves model and permissions to the operator unless the agent names them', () => {
    const plain = plan(runtime, { sandboxed: false });
    expect(plain.argv.join(' ')).not.toMatch(/--model|(^| )-m |--permission-mode|--approval-mode|(^| )-a /);
    expect(plan(runtime, { model: 'some/model' }).argv).toContain('some/model');
  });

  it('starts without a word when there is nothing to say', () => {
    const silent = plan(runtime, { prompt: null });
    expect(silent.promptIncluded).toBe(false);
    expect(silent.argv.join(' ')).not.toContain('Read the instructions');
  });
});

describe('claude', () => {
  it('has the prompt in front of options that take every word', () => {
    expect(plan('claude').argv[1]).toBe('Read the instructions, then start.');
  });
  it('reports through hooks, by the path of lattice as it is', () => {
    const { files } = plan('claude', { latticeBin: "/opt/it's here/lattice" });
    const settings = files.find((file) => file.path.endsWith('settings.json'))?.text ?? '';
    expect(settings).toContain(`'/opt/it'\\\\''s here/lattice' hook claude`);
    expect(settings).toContain('PreToolUse');
    expect(settings).not.toContain('skipDangerousModePermissionPrompt');
  });
  it('goes past the warning of a mode that the operator chose, and only of that one', () => {
    const { files } = plan('claude', { permissionMode: 'bypassPermissions' });
    expect(files.map((file) => file.text).join('\n')).toContain('skipDangerousModePermissionPrompt');
  });
});

describe('codex', () => {
  it('leaves no daemon behind and keeps lattice on the PATH', () => {
    expect(plan('codex').argv).toContain('--no-daemon');
    expect(plan('codex').argv).toContain('allow_login_shell=false');
  });
  it('makes a sandbox of its own only where there is none', () => {
    expect(plan('codex').argv.join(' ')).toContain('-s danger-full-access -a never');
    expect(plan('codex', { sandboxed: false }).argv.join(' ')).toContain('-s workspace-write');
  });
  it('writes TOML that means what was said', () => {
    expect(toml({ 'a.b/c': ['x"y\n', 1, true] })).toBe('{"a.b/c"=["x\\"y\\n",1,true]}');
  });
});

describe('opencode', () => {
  it('adds to what the operator gives by the same variable', () => {
    const given = JSON.stringify({ theme: 'dark', plugin: ['theirs'], instructions: ['THEIRS.md'] });
    const { env } = plan('opencode', { agentEnv: { HOME: '/home/op', OPENCODE_CONFIG_CONTENT: given } });
    const merged = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '') as Record<string, unknown>;
    expect(merged).toMatchObject({ theme: 'dark', autoupdate: false, instructions: ['THEIRS.md', instructionsFile] });
    expect(merged.plugin).toEqual(['theirs', expect.stringMatching(/^file:\/\/.*plugin\.mjs$/)]);
  });
  it('may look into the run’s own folders, and keeps the operator’s rules for others', () => {
    const permissionOf = (permission: unknown) => {
      const given = JSON.stringify({ permission });
      const { env } = plan('opencode', { agentEnv: { HOME: '/home/op', OPENCODE_CONFIG_CONTENT: given } });
      return (JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '') as { permission: Record<string, unknown> }).permission;
    };
    const { artifactsDir, evidenceDir } = launchContext({ instructionsFile, skillsDir });
    const own = { [`${artifactsDir}/*`]: 'allow', [`${evidenceDir}/*`]: 'allow', [`${skillsDir}/*`]: 'allow' };
    expect(permissionOf(undefined)).toEqual({ external_directory: own });
    expect(permissionOf('ask')).toEqual({ '*': 'ask', external_directory: own });
    expect(permissionOf({ bash: 'deny', external_directory: 'deny' })).toEqual({
      bash: 'deny',
      external_directory: { '*': 'deny', ...own },
    });
  });
  it('is told its prompt by hand when it goes on: its own flag is ignored then', () => {
    const resumed = plan('opencode', { kind: 'resumed', runtimeSession: 'ses_1' });
    expect(resumed).toMatchObject({ promptIncluded: false });
    expect(resumed.argv).not.toContain('--prompt');
  });
});

it('quotes words for a shell', () => {
  expect(['plain/path', "it's", ''].map(shellQuote)).toEqual(['plain/path', `'it'\\''s'`, "''"]);
});
