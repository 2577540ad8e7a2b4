// The console in a terminal: how long until a key is painted, until the first frame, and what it does when nothing
// happens. The host is a fake, so that only the console is measured.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFile } from '../tools/bundle-console.ts';
import { type Measured, openMeasured } from './support/measured.ts';
import { median, percentile, printFigure } from './support/report.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/bench');
const console60 = join(folder, 'console.mjs');
const painter = join(import.meta.dirname, 'console/string-painter.ts');
const runs = '60';

mkdirSync(folder, { recursive: true });
await bundleFile(join(root, 'test/tui/fixtures/console-with-fake.ts'), console60, { minify: true });
try {
  for (const size of [
    { cols: 80, rows: 24 },
    { cols: 120, rows: 40 },
    { cols: 200, rows: 60 },
  ]) {
    await keys(size);
  }
  await starts();
  await idle();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function keys(size: { cols: number; rows: number }): Promise<void> {
  const ours = await openMeasured([process.execPath, console60, runs, '20'], size);
  const reference = await openMeasured([process.execPath, painter, runs, '20'], size);
  await ours.waitFor('TB-160');
  await reference.waitFor('▸');
  const ourTimes: number[] = [];
  const referenceTimes: number[] = [];
  for (const [program, times] of [
    [ours, ourTimes],
    [reference, referenceTimes],
  ] as const) {
    await program.keyToPaint('j', '▸');
    for (let i = 0; i < 10; i++) await program.keyToPaint(i % 2 === 0 ? 'j' : 'k', '▸');
    // In turns with pauses, so that keys meet background updates at every phase.
    for (let i = 0; i < 100; i++) {
      times.push(await program.keyToPaint(i % 2 === 0 ? 'j' : 'k', '▸'));
      await new Promise((resolve) => setTimeout(resolve, 20 + (i % 7) * 5));
    }
  }
  const name = `key to paint ${size.cols}x${size.rows}`;
  printFigure({
    what: `${name} p50`,
    unit: 'ms',
    referenceName: 'string painter',
    ours: median(ourTimes),
    reference: median(referenceTimes),
    target: '<= 10x, <= 8 ms',
  });
  printFigure({
    what: `${name} p95`,
    unit: 'ms',
    referenceName: 'string painter',
    ours: percentile(ourTimes, 0.95),
    reference: percentile(referenceTimes, 0.95),
    target: '<= 16 ms',
  });
  await ours.close();
  await reference.close();
}

async function starts(): Promise<void> {
  const first: number[] = [];
  const keys: number[] = [];
  const node: number[] = [];
  for (let i = 0; i < 8; i++) {
    const bare = await openMeasured([process.execPath, '-e', 'process.stdout.write("x")'], { cols: 120, rows: 40 });
    node.push(bare.firstByteMs);
    await bare.close();
    // Its host ends when this folder is removed.
    const argv = [process.execPath, join(root, 'dist/bin/gatehouse.js'), '--home', join(folder, 'home')];
    const ours = await openMeasured(argv, { cols: 120, rows: 40 });
    first.push(ours.firstByteMs);
    keys.push(await firstKey(ours));
    await ours.close();
  }
  const reference = median(node);
  printFigure({
    what: 'first frame',
    unit: 'ms',
    referenceName: 'bare node',
    ours: median(first),
    reference,
    target: '<= 2x',
  });
  printFigure({
    what: 'first key answered',
    unit: 'ms',
    referenceName: 'bare node',
    ours: median(keys),
    reference,
    target: '<= 5x',
  });
}

/** `?` opens the help: its first line is the answer to a key typed as early as possible. */
async function firstKey(program: Measured): Promise<number> {
  const ms = await program.keyToPaint('?', 'half a page');
  return program.firstByteMs + ms;
}

async function idle(): Promise<void> {
  const program = await openMeasured([process.execPath, console60, runs, '0'], { cols: 120, rows: 40 });
  await program.waitFor('TB-160');
  await program.bytesDuring(1_500);
  const before = program.cpuMs();
  const bytes = await program.bytesDuring(10_000);
  const cpu = program.cpuMs() - before;
  process.stdout.write(
    `idle for 10 s                    ${bytes} bytes (target 0), ${(cpu / 100).toFixed(1)} % of a core (target <= 1 %)\n`,
  );
  await program.close();
}
