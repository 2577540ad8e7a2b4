// A soak test made short: `npm run bench -- soak [MINUTES] [RUNS]`. So many agents write, each four times the 1 MB a
// minute of an ordinary night; meanwhile one run after the other is stopped, resumed and attached to. What grows is a leak:
// memory and descriptors of the host and of the holders, from when all are warm to the end.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fleet } from './fleet/fleet.ts';
import { openFiles, privateMegabytes } from './support/process-cost.ts';
import { median, printFigure, printValue } from './support/report.ts';

const minutes = Number(process.argv[3] ?? 10);
const runs = Number(process.argv[4] ?? 50);
/** Of some 90 bytes each: four megabytes a minute for each run. */
const pace = { seconds: 0.1, lines: 80 };
/** Code is compiled, every scrollback is full, and every holder has tidied up once. */
const warmMs = Math.min(120_000, (minutes * 60_000) / 3);
const sampleMs = 5_000;

interface Sample {
  readonly hostMegabytes: number;
  readonly hostFiles: number;
  readonly holderMegabytes: number;
  readonly holderFiles: number;
}

await using fleet = await Fleet.open(pace);
await fleet.start(runs);
const { pid: host } = await fleet.status();
const holders = await fleet.holderPids();
const before = writtenMegabytes();
const startedAt = performance.now();
let cycles = 0;
await workUntil(startedAt + warmMs);
// Over a span, since memory goes up and down between two collections.
const first = await samplesUntil(performance.now() + warmMs / 2);
await samplesUntil(startedAt + minutes * 60_000 - warmMs / 2);
const last = await samplesUntil(startedAt + minutes * 60_000);

const megabytes = (writtenMegabytes() - before) / runs;
printValue('written by each run', megabytes, `MB: as much as ${(megabytes / 60).toFixed(1)} hours at 1 MB a minute`);
printValue('stopped, resumed and attached to', cycles, 'times');
const common = { referenceName: 'when warm', target: '< 1.1x' };
const compared = (what: string, unit: string, of: (sample: Sample) => number): void =>
  printFigure({ ...common, what, unit, ours: median(last.map(of)), reference: median(first.map(of)) });
compared('host, private memory', 'MB', (sample) => sample.hostMegabytes);
compared('host, descriptors', '', (sample) => sample.hostFiles);
compared('holders, private memory, median', 'MB', (sample) => sample.holderMegabytes);
compared('holders, descriptors in all', '', (sample) => sample.holderFiles);

async function samplesUntil(end: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  do {
    await workUntil(performance.now() + sampleMs);
    samples.push(sample());
  } while (performance.now() < end);
  return samples;
}

/** Starts, ends and looks: each makes and closes a PTY, connections and files. */
async function workUntil(end: number): Promise<void> {
  while (performance.now() < end) {
    const run = fleet.id(cycles % runs);
    await fleet.stop(run);
    await fleet.resume(run);
    await fleet.type(run, 'a line that is no command');
    cycles += 1;
    await delay(1_000);
  }
}

function sample(): Sample {
  return {
    hostMegabytes: privateMegabytes(host),
    hostFiles: openFiles(host),
    holderMegabytes: median(holders.map(privateMegabytes)),
    holderFiles: holders.reduce((sum, pid) => sum + openFiles(pid), 0),
  };
}

function writtenMegabytes(): number {
  return fleet.runs.reduce((sum, run) => sum + statSync(join(run.dir, 'session.cast')).size, 0) / 1e6;
}
