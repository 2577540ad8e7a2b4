// What a holder costs: private memory (at rest and after work), the time to start one, the time to start a session.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startHolder } from '../src/holder/start.ts';
import { HolderLink } from './support/holder-link.ts';
import { privateMegabytes } from './support/process-cost.ts';
import { median, printFigure } from './support/report.ts';

const holders = 3;
const floodMegabytes = 50;
const quietMs = 21_000;

const root = mkdtempSync('/tmp/gh-bench-');
const started: { pid: number; socket: string }[] = [];
try {
  const startTimes: number[] = [];
  for (let number = 1; number <= holders; number += 1) {
    const runDir = join(root, String(number));
    mkdirSync(runDir);
    const socket = join(runDir, 'h');
    const from = performance.now();
    const { pid } = await startHolder({
      runId: `bench-${number}`,
      runDir,
      holderSocket: socket,
      runSocket: join(runDir, 'r'),
      recording: join(runDir, 'session.cast'),
      hostArgv: [],
      env: {},
      cols: 80,
      rows: 24,
    });
    startTimes.push(performance.now() - from);
    started.push({ pid, socket });
  }
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  // The holder collects its garbage after two seconds, and later when it is quiet.
  await delay(2_500);
  const reference = privateMegabytes(bare.pid ?? 0);
  bare.kill('SIGKILL');
  const first = started[0];
  if (first === undefined) throw new Error('no holder');
  printFigure({
    what: 'start of a holder',
    unit: 'ms',
    referenceName: 'bare node',
    ours: median(startTimes),
    reference: await bareStart(),
  });
  printFigure({
    what: 'private memory at rest',
    target: '10 MB',
    unit: 'MB',
    referenceName: 'bare node',
    ours: privateMegabytes(first.pid),
    reference,
  });

  const link = await HolderLink.open(first.socket);
  await link.call('subscribe', {});
  const spawnTimes: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const from = performance.now();
    await link.spawn(['/bin/true']);
    spawnTimes.push(performance.now() - from);
    await link.exited();
  }
  process.stdout.write(`start of a session: ${median(spawnTimes).toFixed(1)} ms\n`);
  await delay(quietMs);
  printFigure({
    what: 'private memory after 20 sessions',
    unit: 'MB',
    referenceName: 'bare node',
    ours: privateMegabytes(first.pid),
    reference,
  });
  const file = join(root, 'flood.txt');
  writeFileSync(file, `${'0123456789'.repeat(9)}\n`.repeat((floodMegabytes * 1_000_000) / 91));
  const from = performance.now();
  await link.spawn(['/bin/sh', '-c', `cat ${file}`]);
  await link.exited();
  process.stdout.write(
    `live and recorded: ${(floodMegabytes / ((performance.now() - from) / 1000)).toFixed(1)} MB/s\n`,
  );
  await delay(quietMs);
  printFigure({
    what: 'private memory after a flood',
    unit: 'MB',
    referenceName: 'bare node',
    ours: privateMegabytes(first.pid),
    reference,
  });
  link.close();
} finally {
  for (const { pid } of started) process.kill(pid, 'SIGTERM');
  await delay(500);
  rmSync(root, { recursive: true, force: true });
}

async function bareStart(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const from = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await new Promise((done) => child.on('exit', done));
    times.push(performance.now() - from);
  }
  return median(times);
}
