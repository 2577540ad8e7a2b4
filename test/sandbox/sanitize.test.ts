import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitize, sanitizeGitConfig } from '../../src/sandbox/sanitize.ts';

const config = `# settings
[core]
\trepositoryformatversion = 0
\tsshCommand = ssh -i /home/op/.ssh/deploy
[remote "origin"]
\turl = https://op:SECRET1@forge.example/p.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[http "https://forge.example/"] extraheader = AUTHORIZATION: basic SECRET2
[http]
\textraHeader = "first \\
 SECRET3"
\tproxy = http://u:SECRET4@proxy:1
[Credential "https://forge.example"]
\thelper = "!echo password=SECRET5"
\tusername = SECRET6
[url "ssh://SECRET7@h/"]
\tinsteadOf = h:
[branch "main"]
\tremote = origin
`;

test('a git configuration keeps what git needs and loses what logs in', () => {
  const clean = sanitizeGitConfig(config);
  expect(clean).not.toMatch(/SECRET|deploy/);
  const dir = mkdtempSync(join(tmpdir(), 'gh-config-'));
  try {
    writeFileSync(join(dir, 'config'), clean);
    const parsed = execFileSync('git', ['config', '-f', join(dir, 'config'), '--list'], { encoding: 'utf8' });
    expect(parsed.trim().split('\n')).toEqual([
      'core.repositoryformatversion=0',
      'remote.origin.url=https://forge.example/p.git',
      'remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*',
      'http.proxy=http://proxy:1',
      'url.ssh://h/.insteadof=h:',
      'branch.main.remote=origin',
    ]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('cleaning twice is cleaning once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...config.split('\n'))), (lines) => {
      const once = sanitizeGitConfig(lines.join('\n'));
      expect(sanitizeGitConfig(once)).toBe(once);
    }),
  );
});

test('package managers keep their registries and lose their logins', () => {
  expect(
    sanitize('npmrc', 'registry=https://u:p@r.example/\n//r.example/:_authToken=SECRET\n_auth = SECRET\nfund=false\n'),
  ).toBe('registry=https://r.example/\nfund=false\n');
  expect(
    sanitize('yarnrc', 'npmRegistries:\n  "https://r":\n    npmAuthToken: SECRET\nnodeLinker: node-modules\n'),
  ).toBe('npmRegistries:\n  "https://r":\nnodeLinker: node-modules\n');
});
