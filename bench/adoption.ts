// A host that is killed with 50 runs at work: how soon another has taken them all over and rebuilt their screens; and
// whether a byte is missing, on the screens or in the recordings. What was written while no host was there counts too.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '../src/client/client.ts';
import { CastFile } from '../src/recording/reader.ts';
import { applyEvent } from '../src/recording/replay-into.ts';
import { createScreen } from '../src/terminal/screen.ts';
import { screenState } from '../test/terminal/screen-state.ts';
import { waitFor } from '../test/support/wait-for.ts';
import { Fleet, fleetSize } from './fleet/fleet.ts';
import { median, printFigure, printValue } from './support/report.ts';

const runs = Number(process.argv[3] ?? 50);
const rounds = 3;
/** So many lines at each of ten drawings a second: about a megabyte of recording for each run before the first kill. */
const pace = { seconds: 0.1, lines: 4 };
const workMs = 10_000;

await using fleet = await Fleet.open(pace);
await fleet.start(runs);
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  await delay(workMs);
  times.push(await killAndAdopt());
}
const recordings = fleet.runs.map((run) => join(run.dir, 'session.cast'));
const bytes = recordings.reduce((sum, file) => sum + statSync(file).size, 0);
printValue('recordings', bytes / 1e6, 'MB in all');
printFigure({
  what: `${runs} runs adopted, screens rebuilt`,
  unit: 'ms',
  referenceName: 'each from zero',
  ours: median(times),
  reference: recordings.reduce((sum, file) => sum + fromZero(file).ms, 0),
  target: '<= 3000 ms',
});
await stopOutput();
const wrong: string[] = [];
for (const [index, file] of recordings.entries()) {
  const run = fleet.id(index);
  if (!isDeepStrictEqual(await shownState(run), fromZero(file).state)) wrong.push(`${run}: another screen`);
  const missing = missingLine(file);
  if (missing !== null) wrong.push(`${run}: line ${missing} is not in the recording`);
}
printValue('runs with a byte missing', wrong.length, `of ${runs}`, '0');
for (const each of wrong) process.stdout.write(`  ${each}\n`);
if (wrong.length > 0) process.exitCode = 1;

/** A client starts the next host, as a console does, and waits until no run is still being read back. */
async function killAndAdopt(): Promise<number> {
  const { pid } = await fleet.status();
  process.kill(pid, 'SIGKILL');
  const startedAt = performance.now();
  fleet.client = await Client.connect(fleet.home);
  const adopted = async (): Promise<boolean> => {
    const rows = await fleet.rows();
    return rows.length === runs && rows.every((row) => row.recording === 'recording' && row.lastLine !== '');
  };
  await waitFor(adopted, { what: 'all runs to be adopted', timeoutMs: 60_000, intervalMs: 20 });
  return performance.now() - startedAt;
}

async function stopOutput(): Promise<void> {
  for (const run of fleet.runs) await fleet.type(run.id, 'stop');
  const sizes = (): number => recordings.reduce((sum, file) => sum + statSync(file).size, 0);
  let last = 0;
  const still = (): boolean => last === (last = sizes());
  await waitFor(still, { what: 'all agents to be still', timeoutMs: 30_000, intervalMs: 1_000 });
}

/** What the host shows to whoever attaches, on a fresh screen. */
async function shownState(run: string): Promise<object> {
  const ignore = { onOutput: () => {}, onEvent: () => {}, onEnd: () => {} };
  const stream = await fleet.client.attach(run, 'read', fleetSize, ignore);
  const screen = createScreen({ cols: stream.cols, rows: stream.rows });
  screen.writeNow(stream.snapshot);
  stream.close();
  return stateOf(screen);
}

function fromZero(path: string): { state: object; ms: number } {
  const startedAt = performance.now();
  using file = new CastFile(path);
  const screen = createScreen({ cols: file.header.cols, rows: file.header.rows });
  for (const batch of file.batches()) for (const event of batch) applyEvent(screen, event);
  screen.writeNow('');
  return { state: stateOf(screen), ms: performance.now() - startedAt };
}

function stateOf(screen: ReturnType<typeof createScreen>): object {
  const state = screenState(screen);
  screen.dispose();
  return state;
}

/** The agents count their lines: the first that is not where it should be, or null. */
function missingLine(path: string): number | null {
  using file = new CastFile(path);
  let output = '';
  // A line may be cut between two events.
  for (const batch of file.batches()) for (const event of batch) if (event.code === 'o') output += event.data;
  let expected = 1;
  for (const [, number] of output.matchAll(/line (\d+)\u001b/g)) {
    if (Number(number) !== expected) return expected;
    expected += 1;
  }
  return null;
}
