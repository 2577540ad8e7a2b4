// Runs one attack in a session that is started as the product starts sessions: same plan, same command line, same
// environment, in a real PTY. Without the rest of the product around it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sandboxArgv } from '../../src/sandbox/argv.ts';
import { prepareSandbox } from '../../src/sandbox/prepare.ts';
import type { Site } from '../sandbox/support/site.ts';
import { isAlive, processesWithEnv } from '../support/processes.ts';
import { openTerminal, type TestTerminal } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Attack, Observation, Verdict } from './attack.ts';
import type { Mode, Outcome } from './outcome.ts';
import { type Battlefield, makeBattlefield, placeAttack } from './battlefield.ts';
import { deliverAsHost } from './deliver.ts';
import { differences, observe, trackedPaths } from './observe.ts';

export async function runAttack(attack: Attack, mode: Mode): Promise<Outcome> {
  await using field = await makeBattlefield();
  const { site } = field;
  const tracked = trackedPaths(site.run.worktree);
  const before = observe(site, tracked, field.approved, field.outside);
  const script = placeAttack(site, attack.file);
  const runner = placeAttack(site, join(import.meta.dirname, 'session.sh'));
  placeAttack(site, join(import.meta.dirname, 'guard.sh'));
  const terminal = await startSession(field, mode, attack.stage, ['/bin/bash', runner, script]);
  try {
    await untilEnded(terminal, attack, site);
    if (attack.afterwards !== null) await happen(attack.afterwards, field, mode, terminal);
  } finally {
    await endSession(terminal);
  }
  const output = terminal.raw().toString('latin1');
  const after = observe(site, tracked, field.approved, field.outside);
  const seen = [
    ...differences(before, after).filter(({ observation }) => matters(observation, attack)),
    ...field.incidents(output).map((observation) => ({ observation, what: [] })),
  ];
  await terminal[Symbol.asyncDispose]();
  return {
    id: attack.id,
    title: attack.title,
    where: 'direct',
    mode,
    verdict: verdict(seen.map(({ observation }) => observation)),
    seen,
    output: output.slice(-1500),
  };
}

/** In implement the product may change, and a delivery moves branches: that is no success. */
function matters(observation: Observation, attack: Attack): boolean {
  if (attack.afterwards === 'deliver' && (observation === 'git' || observation === 'remote')) return false;
  return (
    observation !== 'product' ||
    (attack.stage === 'scratch' && attack.afterwards !== 'replace-files') ||
    attack.success.includes('product')
  );
}

/** What the engine compares at every request and on a watch is noticed: product, artifact, and its own chained files. */
function verdict(seen: readonly Observation[]): Verdict {
  if (seen.length === 0) return 'prevented';
  return seen.every((each) => each === 'product' || each === 'artifact') ? 'detected' : 'not';
}

async function startSession(
  { site, knowledge, approved, runtime }: Battlefield,
  mode: Mode,
  stage: Attack['stage'],
  argv: readonly string[],
): Promise<TestTerminal> {
  const base = { ...site.place.env, OPERATOR_TOKEN: 'CANARY-env', SSH_AUTH_SOCK: join(site.userHome, '.ssh/agent') };
  const env = {
    ...site.env(mode === 'bwrap', base),
    ...knowledge,
    A_GUARD: join(site.run.runtime, 'attack/guard.sh'),
    ARENA_OUTER_PIDS: process.env['ARENA_OUTER_PIDS'] ?? '',
  };
  let words: readonly string[] = argv;
  if (mode === 'bwrap') {
    const plan = await site.plan({
      runtime,
      writes: stage,
      developmentApproved: stage === 'product',
      frozen: stage === 'product' ? [approved] : [],
    });
    await prepareSandbox(plan);
    words = sandboxArgv(plan, argv);
  }
  const [command = '', ...args] = words;
  return openTerminal({ command, args, env, cwd: site.run.worktree });
}

async function untilEnded(terminal: TestTerminal, attack: Attack, site: Site): Promise<void> {
  const ready = join(site.run.artifacts, 'ready');
  const ended = terminal.exit.then(() => true);
  const deadline = performance.now() + attack.timeoutMs;
  while (performance.now() < deadline) {
    if (await Promise.race([ended, delay(20, false)])) return;
    if (attack.afterwards !== null && existsSync(ready)) return;
  }
}

async function happen(
  what: NonNullable<Attack['afterwards']>,
  field: Battlefield,
  mode: Mode,
  terminal: TestTerminal,
): Promise<void> {
  const { site } = field;
  switch (what) {
    case 'relaunch': {
      // Gate 1 opens: everything of the old session is ended, then the product becomes writable to a new one.
      await endSession(terminal);
      const next = await startSession(field, mode, 'product', ['/bin/sh', '-c', 'sleep 1.5']);
      await next.exit;
      await next[Symbol.asyncDispose]();
      return;
    }
    case 'host-looks':
      hostLooks(site);
      return;
    case 'deliver':
      await endSession(terminal);
      await deliverAsHost(site, mode);
      return;
    case 'replace-files': {
      // The operator works in the clone meanwhile: git replaces its files by renaming.
      for (const path of [
        join(site.clone, '.git/config'),
        join(site.userHome, '.git-credentials'),
        join(site.userHome, '.npmrc'),
      ]) {
        writeFileSync(`${path}.lock`, readFileSync(path), { mode: statSync(path).mode });
        renameSync(`${path}.lock`, path);
      }
      writeFileSync(join(site.run.artifacts, 'go-on'), '');
      await Promise.race([terminal.exit, delay(5_000)]);
    }
  }
}

/** Everything that a host asks git about a worktree, with an index of its own. */
function hostLooks({ run, clone, place }: Site): void {
  const own = mkdtempSync(join(place.root, 'host-'));
  const env = {
    ...place.env,
    GIT_INDEX_FILE: join(own, 'index'),
    GIT_OBJECT_DIRECTORY: own,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(clone, '.git/objects'),
    GIT_OPTIONAL_LOCKS: '0',
  };
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'submodule.recurse=false'];
  const questions = [
    'read-tree HEAD',
    'add -A',
    'write-tree',
    'status --porcelain --ignore-submodules=all',
    'diff --ignore-submodules=all HEAD',
  ];
  for (const question of questions) {
    // What the attack has broken makes git fail; that is seen by comparing.
    spawnSync('git', ['-C', run.worktree, ...safe, ...question.split(' ')], { env, stdio: 'ignore', timeout: 10_000 });
  }
}

/** As the holder does: everything that carries the session's mark, then what is left. */
async function endSession(terminal: TestTerminal): Promise<void> {
  const find = () => processesWithEnv('GATEHOUSE_RUN', 'task-1');
  if (isAlive(terminal.pid)) process.kill(terminal.pid, 'SIGKILL');
  await waitFor(
    () => {
      for (const { pid } of find()) process.kill(pid, 'SIGKILL');
      return find().length === 0;
    },
    { what: 'the end of the session' },
  );
}
