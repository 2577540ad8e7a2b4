// `npm run redteam [-- --table] [--mode bwrap|hooks] [--only 07,44]`: every attack in both modes, then the table.
// Exits with 1 when an attack succeeds in a sandbox, or does better without one than is written down.
import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { probeSandbox } from '../../src/sandbox/probe.ts';
import { arenaArgv } from './arena.ts';
import { type Attack, readAttacks } from './attack.ts';
import { type Mode, type Outcome, runAttack } from './direct.ts';
import { markdownTable, plainTable } from './report.ts';

const { values } = parseArgs({
  options: {
    table: { type: 'boolean' },
    mode: { type: 'string' },
    only: { type: 'string' },
    'in-arena': { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});

const modes = (['bwrap', 'hooks'] as const).filter((mode) => values.mode === undefined || values.mode === mode);
const wanted = values.only?.split(',');
const attacks = readAttacks().filter(
  ({ id }) => wanted === undefined || wanted.some((prefix) => id.startsWith(prefix)),
);

process.exitCode = values['in-arena'] ? await fight(attacks, modes) : await main();

async function main(): Promise<number> {
  const probe = await probeSandbox();
  if (probe.kind === 'none') {
    process.stderr.write(`redteam: no arena without bubblewrap: ${probe.reason}\n${probe.hint}\n`);
    return 2;
  }
  // The harmless ones of a mode share an arena; one that kills, forks or fills may take its arena along.
  const groups = modes.flatMap((mode) => [
    ...chunks(attacks.filter(({ contained }) => !contained)).map((chunk) => ({ mode, attacks: chunk })),
    ...attacks.filter(({ contained }) => contained).map((attack) => ({ mode, attacks: [attack] })),
  ]);
  const outcomes: Outcome[] = [];
  const queue = groups.filter((group) => group.attacks.length > 0);
  const work = async (): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      outcomes.push(...(await inArena(probe.program, group.mode, group.attacks)));
    }
  };
  // Attacks mostly wait.
  await Promise.all([work(), work(), work(), work()]);
  process.stdout.write(values.table ? markdownTable(attacks, outcomes) : plainTable(attacks, outcomes));
  const broken = outcomes.filter((outcome) => isBroken(outcome, attacks));
  for (const outcome of broken) {
    process.stderr.write(`\n${outcome.mode} ${outcome.id}: ${outcome.verdict} ${JSON.stringify(outcome.seen)}\n`);
    process.stderr.write(`${outcome.output.replaceAll(/[^\t\n\x20-\x7e]/g, '.')}\n`);
  }
  return broken.length === 0 && outcomes.length === attacks.length * modes.length ? 0 : 1;
}

function chunks(all: readonly Attack[]): Attack[][] {
  const size = 12;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function isBroken(outcome: Outcome, all: readonly Attack[]): boolean {
  if (outcome.mode === 'bwrap') return outcome.verdict === 'not';
  const rank = { prevented: 0, detected: 1, not: 2 };
  const promised = all.find(({ id }) => id === outcome.id)?.hooks ?? 'prevented';
  return rank[outcome.verdict] > rank[promised];
}

/** Results come as one JSON line each; an attack without one has taken everything around it along. */
async function inArena(bwrap: string, mode: Mode, group: readonly Attack[]): Promise<Outcome[]> {
  const [command = '', ...args] = arenaArgv(bwrap, [
    process.execPath,
    import.meta.filename,
    '--in-arena',
    '--mode',
    mode,
    '--only',
    group.map(({ id }) => id).join(','),
  ]);
  const child = spawn(command, args, {
    env: { ...process.env, TMPDIR: '/tmp', ARENA_OUTER_PIDS: readlinkSync('/proc/self/ns/pid') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const found: Outcome[] = [];
  let text = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2000);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines.filter((each) => each.startsWith('{'))) {
      const outcome = JSON.parse(line) as Outcome;
      found.push(outcome);
      if (!values.table) process.stderr.write(`redteam: ${mode} ${outcome.id} ${outcome.verdict}\n`);
    }
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000 + group.length * 30_000);
  await new Promise((done) => child.on('close', done));
  clearTimeout(limit);
  const missing = group.filter(({ id }) => !found.some((outcome) => outcome.id === id));
  return [...found, ...missing.map((attack) => broken(attack, mode, errors))];
}

async function fight(group: readonly Attack[], inModes: readonly Mode[]): Promise<number> {
  for (const mode of inModes) {
    for (const attack of group) {
      // An attack that makes the look from outside hang or fail is one that succeeded, and must not stop the others.
      const outcome = await Promise.race([runAttack(attack, mode), tooLong(attack)]).catch((error: unknown) =>
        broken(attack, mode, String(error)),
      );
      process.stdout.write(`${JSON.stringify(outcome)}\n`);
    }
  }
  return 0;
}

async function tooLong(attack: Attack): Promise<never> {
  await delay(attack.timeoutMs + 25_000, undefined, { ref: false });
  throw new Error('no result in time');
}

function broken({ id, title }: Attack, mode: Mode, output: string): Outcome {
  return { id, title, mode, verdict: 'not', seen: [{ observation: 'processes', what: ['the observer'] }], output };
}
