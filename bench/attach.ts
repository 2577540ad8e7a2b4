// Attached to a run, in a real terminal: how soon a typed key comes back, against tmux attach with the same program and
// against the program's bare terminal; and how soon the whole screen is there when the console attaches.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fleet, agentFile, fleetSize } from './fleet/fleet.ts';
import { TmuxServer } from './fleet/tmux-server.ts';
import { type Measured, openMeasured } from './support/measured.ts';
import { median, percentile, printFigure, printValue } from './support/report.ts';

/** Draws itself once and then only echoes. */
const quiet = { seconds: 100_000, lines: 0 };
const gatehouse = [process.execPath, join(import.meta.dirname, '../dist/bin/gatehouse.js')];
/** Not among the words of the agent. */
const key = 'Q';
const keys = 200;
/** Stands in the last row of the agent's screen. */
const lastRow = 'esc to interrupt';
const detach = '\u001dd';
const attaches = 12;

await using fleet = await Fleet.open(quiet);
await fleet.start(1);
await echo();
await wholeScreen();

async function echo(): Promise<void> {
  using server = new TmuxServer(1, quiet);
  const programs = {
    ours: await openMeasured([...gatehouse, 'attach', fleet.id(0)], fleetSize),
    tmux: await openMeasured(server.attachArgv, fleetSize),
    bare: await openMeasured(['bash', agentFile, String(quiet.seconds), '0'], fleetSize),
  };
  const times: Record<keyof typeof programs, number[]> = { ours: [], tmux: [], bare: [] };
  await Promise.all(Object.values(programs).map((program) => program.waitFor(lastRow)));
  // The hint at the beginning of an attach has come and gone.
  await delay(2_000);
  await Promise.all(Object.values(programs).map((program) => program.keyToPaint(key, key)));
  for (let n = 0; n < keys; n += 1) {
    for (const name of ['ours', 'tmux', 'bare'] as const) {
      times[name].push(await programs[name].keyToPaint(key, key));
      await delay(10 + (n % 5) * 3);
    }
    if (n % 20 === 19) await Promise.all(Object.values(programs).map((program) => newLine(program)));
  }
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [ours, tmux, bare] = [times.ours, times.tmux, times.bare].map((each) => percentile(each, share));
    const common = { unit: 'ms', ours: ours ?? Number.NaN };
    printFigure({
      ...common,
      what: `attach echo, ${name}`,
      referenceName: 'tmux attach',
      reference: tmux ?? Number.NaN,
      target: '<= 1.5x',
    });
    printFigure({ ...common, what: '', referenceName: 'bare terminal', reference: bare ?? Number.NaN });
  }
  for (const program of Object.values(programs)) await program.close();
}

/** The agent draws its row anew. */
async function newLine(program: Measured): Promise<void> {
  await program.keyToPaint('\r', lastRow);
}

async function wholeScreen(): Promise<void> {
  const console = await openMeasured(gatehouse, fleetSize);
  await console.waitFor(fleet.id(0));
  await delay(2_000);
  const times: number[] = [];
  for (let n = 0; n < attaches; n += 1) {
    times.push(await console.keyToPaint('a', lastRow));
    await delay(500);
    await console.keyToPaint(detach, fleet.id(0));
    await delay(500);
  }
  printValue('console: whole screen attached', median(times), 'ms', '<= 100 ms');
  await console.close();
}
