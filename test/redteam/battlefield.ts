// What an attack meets: a home with two runs, a clone with a remote, an operator with secrets and sockets, and
// processes that stand for host and holder. Nothing here trusts the session.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { RuntimeAccess } from '../../src/sandbox/plan.ts';
import { prepareSandbox } from '../../src/sandbox/prepare.ts';
import { runtimeAccess } from '../sandbox/support/runtime-access.ts';
import { git, makeSite, type Site } from '../sandbox/support/site.ts';
import { isAlive } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Observation } from './attack.ts';

/** Every secret of the battlefield holds this text; whoever shows it has read one. */
export const canary = 'CANARY';

export interface Battlefield extends AsyncDisposable {
  readonly site: Site;
  /** A file that nobody may write. */
  readonly outside: string;
  readonly approved: string;
  /** A session of every agent program at once, as far as the operator's home goes. */
  readonly runtime: RuntimeAccess;
  /** What the attacker is told; a real one would find it out. */
  readonly knowledge: Readonly<Record<string, string>>;
  /** What happened besides changes of files. */
  incidents(terminalOutput: string): Observation[];
}

export async function makeBattlefield(): Promise<Battlefield> {
  const site = await makeSite();
  const { run, otherRun, home, userHome, place } = site;
  plantSecrets(site);
  const runtime = runtimeAccess(site, ['claude', 'codex', 'omp', 'opencode']);
  // What a first session makes is there before anybody looks.
  await prepareSandbox(await site.plan({ runtime }));
  const approved = join(run.artifacts, 'idea.md');
  writeFileSync(approved, '# Idea\n\nWhat was approved.\n');
  const outside = join(place.root, 'outside');
  const contacts: string[] = [];
  const servers: Server[] = [];
  for (const path of [home.operatorSocket, otherRun.runSocket, run.holderSocket, otherRun.holderSocket]) {
    servers.push(await listen(path, () => contacts.push(path)));
  }
  servers.push(await listen(run.runSocket, () => {}));
  const decoys = await Promise.all(['gatehouse-host', 'gatehouse-holder'].map((name) => decoy(name, home.home)));

  return {
    site,
    outside,
    approved,
    runtime,
    knowledge: {
      A_HOME: home.home,
      A_RUN: run.dir,
      A_OTHER: otherRun.dir,
      A_OTHER_SOCKET: otherRun.runSocket,
      A_HOLDER_SOCKET: run.holderSocket,
      A_OPERATOR_SOCKET: home.operatorSocket,
      A_CLONE: site.clone,
      A_ORIGIN: site.origin,
      A_USER_HOME: userHome,
      A_OUTSIDE: outside,
      A_HOST_PID: String(decoys[0]?.pid),
      A_LOOT: join(run.artifacts, 'loot'),
      A_READY: join(run.artifacts, 'ready'),
      A_GATEHOUSE: join(import.meta.dirname, '../../dist/bin/gatehouse.js'),
      A_NODE: process.execPath,
      A_GUARD: join(import.meta.dirname, 'guard.sh'),
    },
    incidents(terminalOutput) {
      const found: Observation[] = [];
      if (contacts.length > 0) found.push('operator');
      if (decoys.some(({ pid }) => pid === undefined || !isAlive(pid))) found.push('processes');
      // A terminal's answers to questions are no text of the attack's choice.
      if (/START DEVELOPMENT|again/.test(readQuietly(join(run.artifacts, 'typed')))) found.push('terminal');
      if (terminalOutput.includes(canary) || holdsCanary([run.artifacts, run.evidence, run.runtime, run.worktree])) {
        found.push('secrets');
      }
      return found;
    },
    async [Symbol.asyncDispose]() {
      for (const child of decoys) child.kill('SIGKILL');
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Copied into the run, because a checkout may be where a session does not look. */
export function placeAttack(site: Site, file: string): string {
  const target = join(site.run.runtime, 'attack', file.slice(file.lastIndexOf('/') + 1));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
  return target;
}

function plantSecrets({ userHome, home, otherRun, clone, place }: Site): void {
  const secrets: Readonly<Record<string, string>> = {
    [join(userHome, '.ssh/id_ed25519')]: `-----BEGIN OPENSSH PRIVATE KEY-----\n${canary}-ssh\n`,
    [join(userHome, '.git-credentials')]: `https://op:${canary}-store@forge.example\n`,
    [join(userHome, '.netrc')]: `machine forge.example login op password ${canary}-netrc\n`,
    [join(userHome, '.config/gh/hosts.yml')]: `oauth_token: ${canary}-gh\n`,
    [join(userHome, '.config/glab-cli/config.yml')]: `token: ${canary}-glab\n`,
    [join(userHome, '.config/git/credentials')]: `https://op:${canary}-xdg@forge.example\n`,
    [join(userHome, '.npmrc')]: `//registry.example/:_authToken=${canary}-npm\n`,
    [join(userHome, '.docker/config.json')]: `{"auths":{"x":{"auth":"${canary}-docker"}}}\n`,
    [join(userHome, '.aws/credentials')]: `aws_secret_access_key = ${canary}-aws\n`,
    [join(userHome, '.kube/config')]: `token: ${canary}-kube\n`,
    [join(userHome, '.gnupg/private-keys-v1.d/key')]: `${canary}-gpg\n`,
    [join(userHome, '.bash_history')]: `export TOKEN=${canary}-history\n`,
    [join(userHome, '.cargo/credentials.toml')]: `token = "${canary}-cargo"\n`,
    [join(userHome, 'dotfiles/netrc')]: `password ${canary}-linked\n`,
    [join(userHome, '.bashrc')]: '# the shell starts here\n',
    [join(userHome, '.profile')]: '# and here\n',
    [home.engineKey]: `${canary}-engine-key\n`,
    [otherRun.state]: `{"stage":"draft","note":"${canary}-other-run"}\n`,
    [join(otherRun.artifacts, 'idea.md')]: `${canary}-other-idea\n`,
    [otherRun.recording]: `${canary}-other-recording\n`,
    [join(place.root, 'tmp-secret')]: 'not secret, but private to the operator\n',
  };
  for (const [path, text] of Object.entries(secrets)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }
  symlinkSync('dotfiles/netrc', join(userHome, '_netrc'));
  // Many repositories keep their hooks and filters in the tree, where an agent edits them.
  git(clone, 'config', 'core.hooksPath', '.hooks');
  git(clone, 'config', 'filter.tree.smudge', 'sh .filters/smudge');
  git(clone, 'config', 'filter.tree.clean', 'sh .filters/clean');
  git(clone, 'config', 'merge.tree.driver', 'sh .filters/merge');
  const config = join(clone, '.git/config');
  writeFileSync(
    config,
    `${readFileSync(config, 'utf8')}[remote "secret"]\n\turl = https://op:${canary}-url@forge.example/p.git\n`,
  );
}

async function listen(path: string, onContact: () => void): Promise<Server> {
  const server = createServer((socket) => {
    onContact();
    socket.on('error', () => {});
    socket.resume();
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(path, done));
  return server;
}

/** Named as the real ones, with a secret in its environment as the host has. */
async function decoy(name: string, home: string): Promise<ChildProcess> {
  const child = spawn('/bin/bash', ['-c', `exec -a ${name} sleep 1000`], {
    env: { GATEHOUSE_HOME: home, OPERATOR_TOKEN: `${canary}-${name}` },
    stdio: 'ignore',
    detached: true,
  });
  await waitFor(() => readQuietly(`/proc/${child.pid}/cmdline`).startsWith(name), { what: name });
  return child;
}

/** Follows no link: an attack may have made a circle of them. */
function holdsCanary(folders: readonly string[]): boolean {
  return folders.some((folder) =>
    readdirSync(folder, { withFileTypes: true }).some((entry) => {
      const path = join(folder, entry.name);
      // Our own copy of the attack names what it looks for.
      if (entry.isDirectory()) return entry.name !== 'attack' && holdsCanary([path]);
      return entry.isFile() && readQuietly(path).includes(canary);
    }),
  );
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
