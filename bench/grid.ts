// Many runs in the console's grid: key to paint with 200 against 50, and what the console uses while 20 of them change.
// With `--ccmanager`, beside it: ccmanager on a repository of 61 worktrees, each without a session, on the same terminal.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleFile } from '../tools/bundle-console.ts';
import { ccmanagerMark, openCcmanager } from './grid/ccmanager.ts';
import { type Measured, openMeasured } from './support/measured.ts';
import { percentile, printFigure } from './support/report.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/bench-grid');
const consoleFile = join(folder, 'console.mjs');
const size = { cols: 200, rows: 60 };
const busy = '20';
const keys = 150;
const cpuMsOfTime = 8_000;

mkdirSync(folder, { recursive: true });
await bundleFile(join(root, 'test/tui/fixtures/console-with-fake.ts'), consoleFile, { minify: true });
try {
  const few = await openGrid(50);
  const many = await openGrid(200);
  // In turns, so that a busy moment of the machine meets both.
  const [fewTimes, manyTimes] = await keysInTurns([few, many], ['▸', '▸']);
  printRatio('200 runs', manyTimes, '50 runs', fewTimes, '<= 1.1x');
  const [fewCpu, manyCpu] = await cpuOf([few, many]);
  printFigure({
    what: '200 runs, 20 of them busy, CPU',
    unit: '% of a core',
    referenceName: '50 runs',
    ours: manyCpu ?? Number.NaN,
    reference: fewCpu ?? Number.NaN,
  });
  await few.close();
  await many.close();
  if (process.argv.includes('--ccmanager')) await besideCcmanager();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function besideCcmanager(): Promise<void> {
  await using reference = await openCcmanager(size);
  const ours = await openGrid(61);
  const [ourTimes, referenceTimes] = await keysInTurns([ours, reference.program], ['▸', ccmanagerMark]);
  printRatio('61 runs', ourTimes, 'ccmanager', referenceTimes, '<= 0.1x');
  await ours.close();
}

async function openGrid(runs: number): Promise<Measured> {
  const program = await openMeasured([process.execPath, consoleFile, String(runs), busy], size);
  await program.waitFor('TB-');
  return program;
}

/** Down and up again, over rows that are hard to lay out and others, as many of each for all. */
async function keysInTurns(programs: readonly Measured[], marks: readonly string[]): Promise<number[][]> {
  const times: number[][] = programs.map(() => []);
  for (let n = -10; n < keys; n += 1) {
    for (const [index, program] of programs.entries()) {
      const ms = await program.keyToPaint((n + 10) % 32 < 16 ? 'j' : 'k', marks[index] ?? '');
      if (n >= 0) times[index]?.push(ms);
      await delay(20 + ((n + 10) % 7) * 5);
    }
  }
  return times;
}

async function cpuOf(programs: readonly Measured[]): Promise<number[]> {
  const before = programs.map((program) => program.cpuMs());
  await delay(cpuMsOfTime);
  return programs.map((program, index) => ((program.cpuMs() - (before[index] ?? 0)) / cpuMsOfTime) * 100);
}

function printRatio(
  what: string,
  ours: number[] = [],
  referenceName: string,
  reference: number[] = [],
  target = '',
): void {
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    printFigure({
      what: `${what}, key to paint ${name}`,
      unit: 'ms',
      referenceName,
      ours: percentile(ours, share),
      reference: percentile(reference, share),
      target,
    });
  }
}
