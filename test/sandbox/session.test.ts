import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git, makeSite, type Site } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** What a shell says for each line: `ok` or `no`. */
function tries(...commands: string[]): string {
  return commands.map((command) => `if (${command}) >/dev/null 2>&1; then echo ok; else echo no; fi`).join('\n');
}

describe('before gate 1', () => {
  test('tracked files, new files below tracked folders and .git are read-only; scratch is writable', async () => {
    const result = await site.session(
      tries(
        'echo x >> README.md',
        'echo x > src/app.js',
        'echo x > src/new.js',
        'sed -i s/41/42/ src/app.js',
        'mv src elsewhere',
        'rm README.md',
        'ln -f src/app.js hard',
        'echo gitdir: /tmp > .git',
        'git checkout -b mine',
        'echo scratch > notes.txt',
        'mkdir -p dist && echo x > dist/out.js',
        'echo x > $GATEHOUSE_ARTIFACTS/diagnosis.md',
        'echo x > $GATEHOUSE_EVIDENCE/log.txt',
        'echo x > /tmp/x && echo x > /var/tmp/x && echo x > /dev/shm/x && echo x > $HOME/x',
        'git status && git diff --stat && git log -1',
      ),
    );
    expect(result.stdout.trim().split('\n').join(' ')).toBe('no no no no no no no no no ok ok ok ok ok ok');
    expect(git(site.run.worktree, 'status', '--porcelain')).toBe('?? notes.txt\n');
  });

  test('an ignored folder below a tracked one stays writable', async () => {
    mkdirSync(join(site.run.worktree, 'src/node_modules'), { recursive: true });
    writeFileSync(join(site.run.worktree, 'src/node_modules/x'), 'x');
    const result = await site.session(tries('echo y > src/node_modules/y', 'echo y > src/y'));
    expect(result.stdout).toBe('ok\nno\n');
  });

  test('a link among tracked entries is never bound, and what it points at is not shown', async () => {
    const plan = await site.plan();
    expect(plan.unprotected).toEqual([join(site.run.worktree, 'GUIDE.md')]);
    expect(plan.product).not.toContain(join(site.run.worktree, 'GUIDE.md'));
  });
});

describe('after gate 1', () => {
  const approved = { writes: 'product', developmentApproved: true } as const;

  test('tracked files are writable, .git and the clone are not', async () => {
    const result = await site.session(
      tries(
        'echo "export const answer = 42;" > src/app.js',
        'echo x > src/new.js',
        'git add -A',
        'git commit -am x',
        'git update-ref refs/heads/x HEAD',
        `echo x > ${site.clone}/README.md`,
        `echo x > ${site.clone}/.git/HEAD`,
        `echo x > ${site.clone}/.git/objects/x`,
      ),
      approved,
    );
    expect(result.stdout.trim().split('\n').join(' ')).toBe('ok ok no no no no no no');
    expect(readFileSync(join(site.run.worktree, 'src/app.js'), 'utf8')).toContain('42');
  });

  test('in review, new files of the change are read-only like the tracked ones', async () => {
    writeFileSync(join(site.run.worktree, 'added.js'), 'new\n');
    const result = await site.session(tries('echo x > added.js', 'echo x > src/new.js', 'echo x > brand-new.txt'), {
      developmentApproved: true,
    });
    expect(result.stdout).toBe('no\nno\nok\n');
  });

  test('an approved artifact is frozen, also against removal and renaming; a link is not followed', async () => {
    const idea = join(site.run.artifacts, 'idea.md');
    const planted = join(site.run.artifacts, 'plan.md');
    writeFileSync(idea, 'approved\n');
    symlinkSync(site.run.state, planted);
    const result = await site.session(
      tries('echo x > $GATEHOUSE_ARTIFACTS/idea.md', 'rm -f $GATEHOUSE_ARTIFACTS/idea.md') +
        '\nmv $GATEHOUSE_ARTIFACTS/idea.md /tmp/ 2>/dev/null; cat $GATEHOUSE_ARTIFACTS/plan.md 2>/dev/null || echo no',
      { ...approved, frozen: [idea, planted] },
    );
    expect(result.stdout).toBe('no\nno\nno\n');
    expect(readFileSync(idea, 'utf8')).toBe('approved\n');
  });
});

describe("Gatehouse's home", () => {
  test('has this run and nothing else; the sockets of others are not there', async () => {
    const { home, run, otherRun } = site;
    writeFileSync(home.operatorSocket, '');
    writeFileSync(home.engineKey, 'key');
    const result = await site.session(`
      ls -A ${home.home} ${home.runs} ${run.dir} ${home.socketDir}
      cat ${home.engineKey} ${run.state} ${otherRun.state} ${home.config} 2>/dev/null
      ${tries(`echo x > ${run.state}`, `mkdir ${home.runs}/task-3`, `touch ${run.runSocketDir}/run.sock`, `touch ${home.operatorSocket}`)}`);
    const shown = result.stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toContain(`${home.runs}: task-1 `);
    expect(shown).toContain(`${run.dir}: artifacts evidence runtime worktree`);
    expect(shown).not.toMatch(/key|diagnose|op\.sock|config\.json|task-2/);
    expect(shown.trim().endsWith('no no no no')).toBe(true);
  });

  test('stays covered when a configured bind contains it, and the clone stays read-only', async () => {
    const result = await site.session(
      `cat ${site.otherRun.state} 2>/dev/null; ${tries(`echo x > ${site.clone}/README.md`)}; touch ${site.place.root}/was-writable`,
      { binds: { readOnly: [], writable: [site.place.root] } },
    );
    expect(result.stdout).toBe('no\n');
    expect(readFileSync(join(site.place.root, 'was-writable'), 'utf8')).toBe('');
  });
});

test('the switches of the machine are read-only, for root too', async () => {
  // Only ever writes what is there already: a failed defence must not change the machine.
  const same = (name: string) => `cat /proc/sys/${name} > /proc/sys/${name}`;
  const result = await site.session(
    `${tries(same('kernel/core_pattern'), same('vm/overcommit_memory'), same('kernel/hostname'))}
     mount | grep -c ' /proc/sys ' ; grep -h CapBnd /proc/self/status; cat /etc/shadow`,
  );
  expect(result.stdout).toBe('no\nno\nno\n1\nCapBnd:\t0000000000000000\n');
});

describe('credentials', () => {
  test('are not there, and settings come without theirs', async () => {
    const inHome = (path: string, text: string) => {
      const file = join(site.userHome, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    };
    inHome('.ssh/id_ed25519', 'SECRET-KEY');
    inHome('.git-credentials', 'SECRET-LINE');
    inHome('.netrc', 'SECRET-NETRC');
    inHome('.config/gh/hosts.yml', 'SECRET-GH');
    inHome('.config/git/credentials', 'SECRET-GIT');
    inHome('.config/editor/settings', 'harmless');
    inHome('.docker/config.json', 'SECRET-DOCKER');
    inHome('.npmrc', 'registry=https://npm.example/\n//npm.example/:_authToken=SECRET-NPM\n');
    inHome(
      '.gitconfig',
      '[user]\n\tname = Op\n[credential]\n\thelper = store\n[url "https://x:SECRET-URL@h/"]\n\tinsteadOf = h:\n',
    );
    inHome('dotfiles/netrc', 'SECRET-LINKED');
    symlinkSync('dotfiles/netrc', join(site.userHome, '_netrc'));
    const result = await site.session(`
      cd; find . -type f -not -path './code/*' -exec cat {} + 2>/dev/null; cat _netrc
      git config --list; git -C $GATEHOUSE_RUN_SOCKET/../ config -l; cat ${site.clone}/.git/config; git -C ${site.run.worktree} remote -v`);
    expect(result.stdout).not.toMatch(/SECRET|hunter2secret|c2VjcmV0|helper = store/);
    expect(result.stdout).toContain('harmless');
    expect(result.stdout).toContain('registry=https://npm.example/');
    expect(result.stdout).toContain('https://forge.example/product.git');
    expect(result.stdout).toContain('user.name=Op');
  });

  test('saved anew while a session runs, by renaming, they do not appear in it', async () => {
    const credentials = join(site.userHome, '.git-credentials');
    const config = join(site.clone, '.git/config');
    const session = site.session(`
      touch $GATEHOUSE_ARTIFACTS/started
      while [ ! -e $GATEHOUSE_ARTIFACTS/go-on ]; do sleep 0.02; done
      cat ~/.git-credentials ${config} 2>&1`);
    await expect.poll(() => exists(join(site.run.artifacts, 'started'))).toBe(true);
    for (const path of [credentials, config]) {
      writeFileSync(`${path}.lock`, `${readFileSync(path, 'utf8')}\n# SECRET-NEW\n`);
      renameSync(`${path}.lock`, path);
    }
    writeFileSync(join(site.run.artifacts, 'go-on'), '');
    expect((await session).stdout).not.toMatch(/SECRET|hunter2secret/);
  });
});

function exists(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
