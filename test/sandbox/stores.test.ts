// The folders of the four agent programs in a session: what the operator's own sessions would obey is out of reach.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RealRuntime, runtimeAccess } from './support/runtime-access.ts';
import { makeSite, type Site } from './support/site.ts';

let site: Site;
beforeEach(async () => {
  site = await makeSite();
});
afterEach(() => site[Symbol.asyncDispose]());

function session(runtime: RealRuntime, script: string) {
  return site.session(script, { runtime: runtimeAccess(site, [runtime]) });
}

const inHome = (path: string) => join(site.userHome, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(inHome(path)), { recursive: true });
  writeFileSync(inHome(path), text);
}

/** Everything of a folder by path; links are not followed. */
function listed(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = join(below, name);
    return lstatSync(join(folder, path)).isDirectory() ? [`${path}/`, ...listed(folder, path)] : [path];
  });
}

const planted: Readonly<Record<RealRuntime, readonly string[]>> = {
  claude: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/CLAUDE.md',
    '.claude/hooks/x.sh',
    '.claude/agents/x.md',
    '.claude/commands/x.md',
    '.claude/skills/x/SKILL.md',
    '.claude/plugins/x.json',
    '.claude/shell-snapshots/x.sh',
    '.claude/local/claude',
    '.claude/statusline.sh',
    '.claude/new-in-a-later-version.json',
    '.claude.json',
  ],
  codex: [
    '.codex/config.toml',
    '.codex/work.config.toml',
    '.codex/hooks.json',
    '.codex/AGENTS.md',
    '.codex/AGENTS.override.md',
    '.codex/prompts/x.md',
    '.codex/rules/default.rules',
    '.codex/skills/x/SKILL.md',
    '.codex/plugins/x/plugin.json',
    '.codex/shell_snapshots/x.sh',
    '.codex/tmp/arg0/apply_patch',
    '.codex/new-in-a-later-version.toml',
  ],
  omp: [
    '.omp/agent/config.yml',
    '.omp/agent/models.yml',
    '.omp/agent/mcp.json',
    '.omp/agent/.env',
    '.omp/agent/extensions/x.ts',
    '.omp/agent/hooks/x.ts',
    '.omp/agent/skills/x/SKILL.md',
    '.omp/agent/tools/x.ts',
    '.omp/agent/commands/x.md',
    '.omp/agent/modules/x.js',
    '.omp/plugins/package.json',
    '.omp/natives/x.node',
    '.omp/cache/legacy-pi-extension-cache.db',
  ],
  opencode: [
    '.config/opencode/opencode.json',
    '.config/opencode/opencode.jsonc',
    '.config/opencode/AGENTS.md',
    '.config/opencode/plugin/x.js',
    '.config/opencode/plugins/x.js',
    '.config/opencode/tool/x.js',
    '.config/opencode/agent/x.md',
    '.config/opencode/node_modules/x/index.js',
    '.cache/opencode/node_modules/x/index.js',
    '.cache/opencode/bin/server',
    '.local/share/opencode/bin/rg',
  ],
};

const shellFiles = ['.bashrc', '.profile', '.zshrc', '.config/fish/config.fish', '.local/bin/git', '.npmrc'];

const plant = (paths: readonly string[]) =>
  paths.map((path) => `mkdir -p "$HOME/${dirname(path)}"; echo planted > "$HOME/${path}"`).join('\n');

test.each(['claude', 'codex', 'omp', 'opencode'] as const)(
  '%s: what a session writes where settings, hooks, plugins or programs would be does not reach the operator',
  async (runtime) => {
    await session(runtime, plant([...planted[runtime], ...shellFiles]));
    const reached = listed(site.userHome).filter(
      (path) => !path.endsWith('/') && readFileSync(inHome(path), 'utf8').includes('planted'),
    );
    expect(reached).toEqual([]);
  },
);

test.each(['claude', 'codex', 'omp', 'opencode'] as const)(
  '%s: settings that are there are read, not written',
  async (runtime) => {
    const [settings = '', ...others] = planted[runtime];
    write(settings, 'as the operator has it');
    const result = await session(runtime, `cat "$HOME/${settings}"\n${plant([settings, ...others])}`);
    expect(result.stdout).toBe('as the operator has it');
    expect(readFileSync(inHome(settings), 'utf8')).toBe('as the operator has it');
  },
);

test('claude: conversations and the login are shared, its own state is of the run and is kept', async () => {
  write('.claude/.credentials.json', 'token 1');
  write('.claude/statusline.sh', 'echo status');
  write('.claude.json', '{"mcpServers":{}}');
  write('.claude/projects/-other/c.jsonl', 'private');
  const project = site.run.worktree.replaceAll(/[^A-Za-z0-9]/g, '-');
  const first = await session(
    'claude',
    `echo said > ~/.claude/projects/${project}/c.jsonl; cat ~/.claude/projects/-other/c.jsonl
     mkdir -p ~/.claude/projects/-other/memory; echo planted > ~/.claude/projects/-other/memory/MEMORY.md
     echo token 2 > ~/.claude/.credentials.json; echo h > ~/.claude/history.jsonl
     sh ~/.claude/statusline.sh; echo '{"mcpServers":{"x":{}}}' > ~/.claude.json; cat ~/.claude.json`,
  );
  expect(first.stdout).toBe('status\n{"mcpServers":{"x":{}}}\n');
  expect(readFileSync(inHome(`.claude/projects/${project}/c.jsonl`), 'utf8')).toBe('said\n');
  expect(readFileSync(inHome('.claude/.credentials.json'), 'utf8')).toBe('token 2\n');
  const second = await session('claude', 'cat ~/.claude/history.jsonl ~/.claude.json');
  expect(second.stdout).toBe('h\n{"mcpServers":{}}');
  expect(listed(inHome('.claude'))).toEqual([
    '.credentials.json',
    'projects/',
    'projects/-other/',
    'projects/-other/c.jsonl',
    `projects/${project}/`,
    `projects/${project}/c.jsonl`,
    'statusline.sh',
  ]);
});

test('a link of the operator is followed, and one that a session left is not', async () => {
  write('dotfiles/claude.json', '{"theme":"dark"}');
  mkdirSync(inHome('.claude'));
  symlinkSync('../dotfiles/claude.json', inHome('.claude/settings.json'));
  const tried = 'rm -f ~/.claude/settings.json; ln -sfn /tmp/x ~/.claude/settings.json; cat ~/.claude/settings.json';
  expect((await session('claude', tried)).stdout).toBe('{"theme":"dark"}');
  expect(lstatSync(inHome('.claude/settings.json')).isSymbolicLink()).toBe(true);
  // Left for a name that a later session has mounts for.
  await session('claude', `ln -s ${site.run.worktree} ~/.claude/bin`);
  write('.claude/bin/tool', 'echo tool');
  expect((await session('claude', 'sh ~/.claude/bin/tool; ls ~/.claude/bin')).stdout).toBe('tool\ntool\n');
  expect(existsSync(join(site.run.worktree, 'tool'))).toBe(false);
});

test('a folder that a session has exchanged for a link leads the next start nowhere', async () => {
  const elsewhere = inHome('elsewhere');
  mkdirSync(elsewhere);
  const project = site.run.worktree.replaceAll(/[^A-Za-z0-9]/g, '-');
  const exchange = `mv ~/.claude/projects ~/.claude/old; ln -s ${elsewhere} ~/.claude/projects; ls -l ~/.claude`;
  expect((await session('claude', exchange)).stdout).toContain('projects -> ');
  await session('claude', `echo said > ~/.claude/projects/${project}/c.jsonl`);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readFileSync(inHome(`.claude/projects/${project}/c.jsonl`), 'utf8')).toBe('said\n');
});

test('settings that the operator replaces while a session lives do not become writable to it', async () => {
  write('.claude/settings.json', 'first');
  const go = join(site.run.artifacts, 'go');
  const ended = session(
    'claude',
    `touch $GATEHOUSE_ARTIFACTS/ready; until [ -e $GATEHOUSE_ARTIFACTS/go ]; do sleep 0.1; done; echo planted > ~/.claude/settings.json`,
  );
  while (!existsSync(join(site.run.artifacts, 'ready'))) await new Promise((done) => setTimeout(done, 50));
  writeFileSync(inHome('.claude/settings.json.new'), 'second');
  renameSync(inHome('.claude/settings.json.new'), inHome('.claude/settings.json'));
  writeFileSync(go, '');
  await ended;
  expect(readFileSync(inHome('.claude/settings.json'), 'utf8')).toBe('second');
});
