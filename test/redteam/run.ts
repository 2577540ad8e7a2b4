// `npm run redteam [-- --table] [--mode bwrap|hooks] [--only 07,44]`: every attack in both modes, then the table.
// Exits with 1 when an attack succeeds in a sandbox, or does better without one than is written down.
import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { probeSandbox } from '../../src/sandbox/probe.ts';
import { arenaArgv } from './arena.ts';
import { type Attack, readAttacks } from './attack.ts';
import { runAttack } from './direct.ts';
import type { Mode, Outcome } from './outcome.ts';
import { ProductField } from './product-field.ts';
import { markdownTable, plainTable } from './report.ts';

const { values } = parseArgs({
  options: {
    table: { type: 'boolean' },
    mode: { type: 'string' },
    only: { type: 'string' },
    'in-arena': { type: 'boolean' },
    where: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});

const modes = (['bwrap', 'hooks'] as const).filter((mode) => values.mode === undefined || values.mode === mode);
const wanted = values.only?.split(',');
const attacks = readAttacks().filter(
  ({ id }) => wanted === undefined || wanted.some((prefix) => id.startsWith(prefix)),
);

const places = (['direct', 'product'] as const).filter((place) => values.where === undefined || values.where === place);

process.exitCode = values['in-arena'] ? await fight() : await main();

async function main(): Promise<number> {
  const probe = await probeSandbox();
  if (probe.kind === 'none') {
    process.stderr.write(`redteam: no arena without bubblewrap: ${probe.reason}\n${probe.hint}\n`);
    return 2;
  }
  const queue = places.flatMap((where) => modes.flatMap((mode) => groupsOf(where, mode)));
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      outcomes.push(...(await inArena(probe.program, group)));
    }
  };
  // Attacks mostly wait.
  await Promise.all([work(), work(), work(), work()]);
  process.stdout.write(values.table ? markdownTable(attacks, outcomes) : plainTable(attacks, outcomes));
  const bad = outcomes.filter((outcome) => isBroken(outcome));
  for (const outcome of bad) {
    process.stderr.write(
      `\n${outcome.mode} ${outcome.where} ${outcome.id}: ${outcome.verdict} ${JSON.stringify(outcome.seen)}\n`,
    );
    process.stderr.write(`${outcome.output.replaceAll(/[^\t\n\x20-\x7e]/g, '.')}\n`);
  }
  return bad.length === 0 && outcomes.length > 0 ? 0 : 1;
}

interface Group {
  readonly where: Outcome['where'];
  readonly mode: Mode;
  readonly attacks: readonly Attack[];
}

/** The harmless ones share arenas; one that kills, forks or fills may take its arena along. */
function groupsOf(where: Outcome['where'], mode: Mode): Group[] {
  const here = attacks.filter((attack) => attack.where === where || attack.where === 'both');
  return [
    ...chunks(here.filter(({ contained }) => !contained)),
    ...here.filter(({ contained }) => contained).map((attack) => [attack]),
  ].map((each) => ({ where, mode, attacks: each }));
}

function chunks(all: readonly Attack[]): Attack[][] {
  const size = 12;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function isBroken(outcome: Outcome): boolean {
  if (outcome.mode === 'bwrap') return outcome.verdict === 'not';
  const rank = { prevented: 0, detected: 1, not: 2 };
  const promised = attacks.find(({ id }) => id === outcome.id)?.hooks ?? 'prevented';
  return rank[outcome.verdict] > rank[promised];
}

/** Results come as one JSON line each; an attack without one has taken everything around it along. */
async function inArena(bwrap: string, { where, mode, attacks: group }: Group): Promise<Outcome[]> {
  const [command = '', ...args] = arenaArgv(bwrap, [
    process.execPath,
    import.meta.filename,
    '--in-arena',
    '--where',
    where,
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
      if (!values.table) process.stderr.write(`redteam: ${mode} ${where} ${outcome.id} ${outcome.verdict}\n`);
    }
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000 + group.length * 60_000);
  await new Promise((done) => child.on('close', done));
  clearTimeout(limit);
  const missing = group.filter(({ id }) => !found.some((outcome) => outcome.id === id));
  return [...found, ...missing.map((attack) => broken(attack, where, mode, errors))];
}

async function fight(): Promise<number> {
  const where = places[0] ?? 'direct';
  const mode = modes[0] ?? 'bwrap';
  await using field = where === 'product' ? await ProductField.make(mode) : null;
  for (const attack of attacks) {
    const fought = field === null ? runAttack(attack, mode) : field.attack(attack);
    // An attack that makes the look from outside hang or fail is one that succeeded, and must not stop the others.
    const outcome = await Promise.race([fought, tooLong(attack)]).catch((error: unknown) =>
      broken(attack, where, mode, String(error)),
    );
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
  return 0;
}

async function tooLong(attack: Attack): Promise<never> {
  await delay(attack.timeoutMs + 120_000, undefined, { ref: false });
  throw new Error('no result in time');
}

function broken({ id, title }: Attack, where: Outcome['where'], mode: Mode, output: string): Outcome {
  return {
    id,
    title,
    where,
    mode,
    verdict: 'not',
    seen: [{ observation: 'processes', what: ['the observer'] }],
    output,
  };
}
