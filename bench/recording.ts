// A recording of one hour and 100 MB: opening it, seeking anywhere against playing from the beginning, searching.
// Then draining a program's output with screen and recording, against a C reader and tmux.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHolder } from '../src/holder/start.ts';
import { Player } from '../src/recording/player.ts';
import { CastFile } from '../src/recording/reader.ts';
import { applyEvent } from '../src/recording/replay-into.ts';
import { CastWriter } from '../src/recording/writer.ts';
import { createScreen } from '../src/terminal/screen.ts';
import { HolderLink } from './support/holder-link.ts';
import { median, percentile, printFigure } from './support/report.ts';

const megabytes = 100;
const seeks = 60;
const drainMegabytes = 40;

const root = mkdtempSync('/tmp/gh-bench-');
try {
  const path = join(root, 'session.cast');
  makeRecording(path);
  const firstOpen = await timed(async () => {
    const player = await Player.open(path);
    await player.indexed;
    await player[Symbol.asyncDispose]();
  });
  process.stdout.write(`index made in the background: ${firstOpen.toFixed(0)} ms\n`);
  const opened: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    opened.push(await timed(async () => (await Player.open(path))[Symbol.asyncDispose]()));
  }
  const player = await Player.open(path);
  await player.seek(0);
  const times: number[] = [];
  for (let round = 0; round < seeks; round += 1) {
    const target = ((round * 0.381966) % 1) * player.durationMs;
    times.push(await timed(() => player.seek(target)));
  }
  const fromZero = await timed(() => Promise.resolve(playFromZero(path)));
  const common = { unit: 'ms', referenceName: 'playing from zero' };
  const p95 = percentile(times, 0.95);
  printFigure({ ...common, what: 'open', ours: median(opened), reference: fromZero, target: '<= 300 ms' });
  printFigure({ ...common, what: 'seek, median', ours: median(times), reference: fromZero, target: '<= 0.01x' });
  printFigure({ ...common, what: 'seek, p95', ours: p95, reference: fromZero, target: '<= 50 ms' });
  const search = await timed(() => player.search('no such text'));
  printFigure({ ...common, what: 'search everything', ours: search, reference: fromZero });
  await player[Symbol.asyncDispose]();
  await drain();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function drain(): Promise<void> {
  const file = join(root, 'output.txt');
  const line = `\x1b[32m2026-12-01\x1b[0m \x1b[1mtask\x1b[0m \x1b[38;5;208mstep\x1b[0m some words of an ordinary line\r\n`;
  writeFileSync(file, line.repeat((drainMegabytes * 1_000_000) / line.length));
  const ours = await holderDrainSeconds(file);
  const common = { unit: 'MB/s', what: 'drain with screen and recording', ours: drainMegabytes / ours };
  const reader = readerSeconds(file);
  if (reader !== null) {
    printFigure({ ...common, referenceName: 'C reader', reference: drainMegabytes / reader, target: '>= 0.25x' });
  }
  const tmux = tmuxSeconds(file);
  if (tmux !== null)
    printFigure({ ...common, referenceName: 'tmux', reference: drainMegabytes / tmux, target: '>= 1.3x' });
}

async function holderDrainSeconds(file: string): Promise<number> {
  const runDir = join(root, 'run');
  mkdirSync(runDir);
  const holderSocket = join(runDir, 'h');
  const { pid } = await startHolder({
    runId: 'bench',
    runDir,
    holderSocket,
    runSocket: join(runDir, 'r'),
    recording: join(runDir, 'session.cast'),
    hostArgv: [],
    env: {},
    cols: 80,
    rows: 24,
  });
  const screen = createScreen({ cols: 80, rows: 24 });
  const link = await HolderLink.open(holderSocket);
  link.showOn(screen);
  await link.call('subscribe', {});
  const ms = await timed(async () => {
    await link.spawn(['/bin/cat', file]);
    await link.exited();
    await screen.flush();
  });
  link.close();
  process.kill(pid, 'SIGTERM');
  return ms / 1000;
}

/** A program that reads a PTY and throws everything away: the fastest there can be. */
function readerSeconds(file: string): number | null {
  const source = join(root, 'reader.c');
  const program = join(root, 'reader');
  writeFileSync(
    source,
    `#include <pty.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int argc, char **argv) {
  int fd; char buffer[65536];
  if (forkpty(&fd, 0, 0, 0) == 0) { execvp(argv[1], argv + 1); _exit(127); }
  while (read(fd, buffer, sizeof buffer) > 0);
  wait(0);
  return 0;
}
`,
  );
  if (spawnSync(process.env['CC'] ?? 'cc', ['-O2', '-o', program, source, '-lutil']).status !== 0) return null;
  const from = performance.now();
  execFileSync(program, ['/bin/cat', file]);
  return (performance.now() - from) / 1000;
}

function tmuxSeconds(file: string): number | null {
  const tmux = (...args: string[]): number | null =>
    spawnSync('tmux', ['-S', join(root, 'tmux'), '-f', '/dev/null', ...args], { stdio: 'ignore' }).status;
  if (tmux('new-session', '-d', '-x', '80', '-y', '24', 'sleep 100') !== 0) return null;
  const from = performance.now();
  tmux('new-window', '-d', `cat ${file}; tmux -S ${join(root, 'tmux')} wait-for -S done`);
  tmux('wait-for', 'done');
  const seconds = (performance.now() - from) / 1000;
  tmux('kill-server');
  return seconds;
}

function makeRecording(path: string): void {
  let now = 1_800_000_000_000;
  const writer = new CastWriter({ path, cols: 120, rows: 40, now: () => now });
  for (let number = 0; writer.position.offset < megabytes * 1_000_000; number += 1) {
    now += 12;
    if (number % 5_000 === 4_999) writer.marker(`stage ${number}`);
    const color = `\x1b[38;5;${number % 256}m`;
    const row = `\x1b[${(number % 40) + 1};1H${color}line ${number}\x1b[0m ${'some words of output '.repeat(12)}`;
    writer.output(Buffer.from(number % 4 === 0 ? `${row}\r\n\r\n` : row));
  }
  writer.close();
}

function playFromZero(path: string): void {
  using file = new CastFile(path);
  const screen = createScreen({ cols: file.header.cols, rows: file.header.rows });
  for (const batch of file.batches()) {
    for (const event of batch) applyEvent(screen, event);
    screen.writeNow('');
  }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await action();
  return performance.now() - from;
}
