import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { homePaths } from '../../src/platform/paths.ts';
import { sessionEnv, type SessionEnvOptions } from '../../src/sandbox/session-env.ts';
import { runProgram } from '../support/run-program.ts';
import { git, makeSite, type Site } from './support/site.ts';

const run = homePaths('/srv/state', { XDG_RUNTIME_DIR: '/run/user/7' }).run('r');
const options: SessionEnvOptions = {
  runId: 'r',
  run,
  runtime: 'claude',
  latticeDir: '/opt/gatehouse/bin',
  sandboxed: true,
  hooksDir: '/srv/state/hooks',
};

test('what speaks for the operator, pushes, deploys or logs in is dropped', () => {
  const dropped = {
    SSH_AUTH_SOCK: '/a',
    SSH_ASKPASS_X: '/a',
    GPG_AGENT_INFO: 'x',
    GPG_TTY: '/dev/pts/0',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/7/bus',
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XAUTHORITY: '/x',
    XDG_RUNTIME_DIR: '/run/user/7',
    TMUX: '/tmp/tmux,1,0',
    STY: '1.pts',
    VSCODE_GIT_IPC_HANDLE: '/x',
    VSCODE_IPC_HOOK_CLI: '/x',
    GATEHOUSE_HOME: '/srv/state',
    GATEHOUSE_OPERATOR: 'x',
    GITHUB_TOKEN: 'ghp_x',
    GH_TOKEN: 'x',
    GITLAB_PRIVATE: 'x',
    CI_JOB_TOKEN: 'x',
    NPM_TOKEN: 'x',
    'npm_config_//registry.example/:_authToken': 'x',
    npm_config__auth: 'x',
    npm_lifecycle_event: 'start',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_PROFILE: 'x',
    GOOGLE_APPLICATION_CREDENTIALS: '/x',
    PGPASSWORD: 'x',
    DB_PASSWORD: 'x',
    OPENAI_API_KEY: 'not for claude',
    KUBECONFIG: '/x',
    DOCKER_HOST: 'unix:///x',
    GIT_DIR: '/x',
    GIT_SSH_KEY: '/x',
    GIT_CONFIG_PARAMETERS: "'core.hooksPath='",
    NODE_OPTIONS: '--inspect',
    TMPDIR: '/run/user/7/tmp',
  };
  const env = sessionEnv(dropped, options);
  expect(
    Object.keys(dropped).filter((name) => name in env && env[name] === dropped[name as keyof typeof dropped]),
  ).toEqual([]);
});

test('ordinary variables, the keys of its own provider and what config names are kept', () => {
  const kept = {
    HOME: '/home/op',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    USER: 'op',
    HTTPS_PROXY: 'http://proxy:3128',
    npm_config_registry: 'https://npm.example/',
    ANTHROPIC_API_KEY: 'sk-ant-x',
    CLAUDE_CONFIG_DIR: '/home/op/.claude',
    MAX_THINKING_TOKENS: '1000',
    EDITOR: 'vi',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_CONFIG_HOME: '/home/op/.config',
  };
  expect(sessionEnv(kept, options)).toMatchObject(kept);
  expect(sessionEnv({}, { ...options, extra: { DEPLOY_TOKEN: 'named by the operator' } })).toMatchObject({
    DEPLOY_TOKEN: 'named by the operator',
  });
});

test('the session is told where it is, and `lattice` comes first on PATH', () => {
  const env = sessionEnv(
    { PATH: '/usr/bin', GATEHOUSE_RUN: 'another' },
    { ...options, extra: { GATEHOUSE_RUN: 'forged' } },
  );
  expect(env).toMatchObject({
    PATH: '/opt/gatehouse/bin:/usr/bin',
    GATEHOUSE_RUN: 'r',
    GATEHOUSE_RUN_SOCKET: run.runSocket,
    GATEHOUSE_ARTIFACTS: run.artifacts,
    GATEHOUSE_EVIDENCE: run.evidence,
  });
});

let site: Site;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

test('without a sandbox git refuses to commit, to move a branch and to push, and says why', async () => {
  writeFileSync(join(site.run.worktree, 'README.md'), 'changed\n');
  const env = {
    ...site.env(false),
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  };
  const refsBefore = git(site.clone, 'for-each-ref') + git(site.origin, 'for-each-ref');
  for (const command of [
    'git commit -qam mine',
    'git commit -qam mine --no-verify',
    'git branch mine',
    'git update-ref refs/heads/mine HEAD',
    'git stash',
    'git tag mine',
  ]) {
    const result = await runProgram('/bin/sh', ['-c', command], { env, cwd: site.run.worktree });
    expect([command, result.code]).not.toEqual([command, 0]);
    expect([command, result.stderr]).toEqual([
      command,
      expect.stringContaining('gatehouse: this session does not commit'),
    ]);
  }
  for (const remote of [
    'origin',
    `file://${site.origin}`,
    site.origin,
    'git@forge.example:p.git',
    'https://forge.example/p.git',
  ]) {
    const result = await runProgram('git', ['push', '--no-verify', remote, 'HEAD:refs/heads/mine'], {
      env,
      cwd: site.run.worktree,
    });
    expect([remote, result.stderr]).toEqual([remote, expect.stringContaining('refused-by-gatehouse')]);
  }
  expect(git(site.clone, 'for-each-ref') + git(site.origin, 'for-each-ref')).toBe(refsBefore);
});
