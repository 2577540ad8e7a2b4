// What a host costs with 50 and with 200 agents at work (or with as many as the argument says), against a tmux server with
// the same ones: CPU, memory, the delay of its event loop, and how soon a key comes back, also while one session floods.
import { setTimeout as delay } from 'node:timers/promises';
import { Echo } from './fleet/echo.ts';
import { Fleet, fleetSize } from './fleet/fleet.ts';
import { TmuxServer } from './fleet/tmux-server.ts';
import { openMeasured } from './support/measured.ts';
import { cpuMs, privateMegabytes, residentMegabytes } from './support/process-cost.ts';
import { median, percentile, printFigure, printValue } from './support/report.ts';

const pace = { seconds: 0.1, lines: 0 };
const settleMs = 5_000;
const cpuSeconds = 20;
const keys = 100;

interface CpuShares {
  readonly unseen: number;
  /** With a client as a console is one: it is told of all rows, and shown one screen. For tmux: one window attached. */
  readonly watched: number;
}

const counts = process.argv[3] === undefined ? [50, 200] : [Number(process.argv[3])];
for (const count of counts) {
  const ours = await measureHost(count);
  const reference = await measureTmux(count);
  const target = count > 50 ? '<= 0.5x' : '<= 0.7x';
  const common = { unit: '% of a core', referenceName: 'tmux', target };
  printFigure({ ...common, what: `${count} sessions, unseen`, ours: ours.unseen, reference: reference.unseen });
  printFigure({ ...common, what: `${count} sessions, watched`, ours: ours.watched, reference: reference.watched });
}

async function measureHost(count: number): Promise<CpuShares> {
  await using fleet = await Fleet.open(pace);
  await fleet.start(count);
  await delay(settleMs);
  const holders = await fleet.holderPids();
  const [unseen = 0, ...ofHolders] = await cpuShares([fleet.hostPid, ...holders]);
  await fleet.client.request('runs.subscribe', {});
  await fleet.client.request('run.watch-screen', { run: fleet.id(0), ...fleetSize });
  const [watched = 0] = await cpuShares([fleet.hostPid]);
  printValue(`${count} holders, CPU`, sum(ofHolders), '% of a core');
  const memory = count > 50 ? '<= 400 MB' : '<= 160 MB';
  printValue(`host with ${count}, resident`, residentMegabytes(fleet.hostPid), 'MB', memory);
  printValue('  of which private', privateMegabytes(fleet.hostPid), 'MB');
  printValue('holder, private, median', median(holders.map(privateMegabytes)), 'MB', '<= 10 MB at rest');
  await loopAndEcho(fleet);
  return { unseen, watched };
}

async function loopAndEcho(fleet: Fleet): Promise<void> {
  const echo = await Echo.open(fleet, 1);
  const before = await fleet.loopDelay(() => echo.times(keys));
  printValue('loop late, p99', before.lateMs.p99, 'ms', '<= 10 ms');
  await fleet.type(fleet.id(2), 'flood');
  await delay(1_000);
  const during = await fleet.loopDelay(() => echo.times(keys));
  printValue('loop late while one floods, p99', during.lateMs.p99, 'ms', '<= 15 ms');
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    printFigure({
      what: `echo of another meanwhile, ${name}`,
      unit: 'ms',
      referenceName: 'before',
      ours: percentile(during.result, share),
      reference: percentile(before.result, share),
      target: 'as before',
    });
  }
  echo.close();
}

async function measureTmux(count: number): Promise<CpuShares> {
  using server = new TmuxServer(count, pace);
  await delay(settleMs);
  const [unseen = 0] = await cpuShares([server.pid]);
  const viewer = await openMeasured(server.attachArgv, fleetSize);
  const [watched = 0] = await cpuShares([server.pid]);
  await viewer.close();
  return { unseen, watched };
}

/** Of each process, in percent of one core. */
async function cpuShares(pids: readonly number[]): Promise<number[]> {
  const startedAt = performance.now();
  const before = pids.map(cpuMs);
  await delay(cpuSeconds * 1_000);
  const elapsedMs = performance.now() - startedAt;
  return pids.map((pid, index) => ((cpuMs(pid) - (before[index] ?? 0)) / elapsedMs) * 100);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
