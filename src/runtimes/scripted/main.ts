// The scripted agent: a program that looks and behaves like a coding agent in a terminal, works through the whole workflow and does
// what a scenario says. Needs nothing but Node, starts at once.
import { mkdirSync } from 'node:fs';
import { readArguments } from './arguments.ts';
import { Body } from './body.ts';
import { type Command, watchControl } from './control.ts';
import { Conversation } from './conversation.ts';
import { castScenario } from './program.ts';
import { Reporter } from './reporter.ts';
import { loadScenario, type Scenario } from './scenario.ts';
import { TruthLog } from './truth.ts';
import { Worker } from './worker.ts';

/** A flood is written in pieces, so that a terminal that reads slowly is not waited for in memory. */
const floodPieceBytes = 16_384;

const args = readArguments(process.argv.slice(2), process.env);
if (typeof args === 'string') {
  process.stderr.write(`scripted agent: ${args}\n`);
  process.exit(2);
}
const { session, resume, sessionDir, prompt } = args;
const artifacts = process.env['GATEHOUSE_ARTIFACTS'] ?? `${process.cwd()}/artifacts`;
// Without a file, what is played depends on the task, which only `lattice` knows.
const base = loadScenario(args.scenario, () => 'straight');
const casts = new Map<string, Scenario>();
const scenarioFor = (task: string): Scenario => {
  const cast = casts.get(task) ?? loadScenario(args.scenario, () => castScenario(task));
  casts.set(task, cast);
  return cast;
};

mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
const truth = new TruthLog(args.truth ?? base.truth);
const conversation = new Conversation(sessionDir, session, resume);
const resumed = resume;
// As other programs do.
if (resumed && conversation.length === 0) {
  process.stderr.write(`No conversation found: ${session}\r\n`);
  process.exit(1);
}
const reporter = new Reporter(session, process.env);
const body = new Body(
  { name: `scripted ${session.slice(0, 8)}`, tempoMs: base.tempoMs, truth },
  {
    onMessage: (text, via) => worker.receive(text, via),
    onInterrupt: () => worker.interrupt(),
    onExit: (reason) => void leave(0, reason),
  },
);
const worker = new Worker({
  body,
  reporter,
  conversation,
  truth,
  scenario: scenarioFor,
  tempoMs: base.tempoMs,
  session,
  sessionDir,
  root: process.cwd(),
  artifacts,
  crash,
});
let leaving = false;

truth.note({ type: 'started', pid: process.pid, session, resumed, scenario: base.name });
body.open(['', ' ◆ scripted agent', `   session ${session}${resumed ? ' (resumed)' : ''}`, `   ${process.cwd()}`, '']);
for (const { kind, text } of resumed ? conversation.recent(4) : []) {
  body.print(
    text
      .split('\n')
      .slice(0, 4)
      .map((line, index) => `${index === 0 ? (kind === 'user' ? '▌ ' : '● ') : '  '}${line}`),
  );
}
reporter.send({ type: 'session-started', source: resumed ? 'resume' : 'start', transcript: conversation.path });
truth.note({ type: 'state', state: 'idle' });
const control = args.control ?? base.control;
const stopControl = control === null ? (): void => {} : watchControl(control, obey);
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
  process.on(signal, () => void leave(signal === 'SIGINT' ? 130 : 143, signal));
if (prompt !== null) worker.receive(prompt, 'argument');

function obey(command: Command): void {
  switch (command.verb) {
    case 'pause':
      return worker.pause();
    case 'resume':
      return worker.resume();
    case 'interrupt':
      return worker.interrupt();
    case 'hang':
      return body.hang();
    case 'crash':
      return crash(/^\d+$/.test(command.how) ? Number(command.how) : command.how === 'SIGSEGV' ? 'SIGSEGV' : 'SIGKILL');
    case 'ask':
      return void worker.ask('bash', command.text);
    case 'say':
      return body.print([`● ${command.text}`]);
    case 'draft':
      return body.typeDraft(command.text);
    case 'title':
      return body.setTitle(command.text);
    case 'flood':
      return void flood(command.count);
    case 'exit':
      return void leave(command.count, 'control');
  }
}

/** So many bytes of coloured lines as fast as the terminal takes them. */
async function flood(bytes: number): Promise<void> {
  const line = `\u001b[3${1 + (bytes % 6)}m${'flood '.repeat(12)}\u001b[0m\r\n`;
  const piece = line.repeat(Math.ceil(floodPieceBytes / line.length));
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!process.stdout.write(piece.slice(0, left)))
      await new Promise((drained) => process.stdout.once('drain', drained));
  }
  body.printRaw('\r\n');
}

function crash(how: 'SIGKILL' | 'SIGSEGV' | number): never {
  truth.note({ type: 'exit', code: typeof how === 'number' ? how : -1, reason: `crash ${how}` });
  if (typeof how === 'number') process.exit(how);
  process.kill(process.pid, how);
  // A signal to oneself may take a moment to arrive; nothing may happen until then.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

async function leave(code: number, reason: string): Promise<void> {
  if (leaving) return;
  leaving = true;
  worker.interrupt();
  stopControl();
  reporter.send({ type: 'session-ended', reason });
  truth.note({ type: 'state', state: 'exited' });
  truth.note({ type: 'exit', code, reason });
  body.close();
  process.stdout.write(`To go on with this conversation: --session ${session} --resume\r\n`);
  await reporter.flush();
  process.exit(code);
}
