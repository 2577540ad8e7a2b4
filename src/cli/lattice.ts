// `lattice`: the agent's side. It talks only to the run socket and can only ask. Starts in milliseconds: no library.
import { createConnection } from 'node:net';
import { GatehouseError, toErrorBody } from '../core/error.ts';
import type { Problem } from '../core/rejection.ts';
import { Channel } from '../protocol/channel.ts';
import type { LatticeResult, RefusalDetails } from '../protocol/lattice.ts';
import { handOver } from './hand-over.ts';
import { readInput } from './input.ts';
import { version } from '../core/version.ts';

const usage = `usage: lattice VERB

  status                      where the run stands, and what to do next
  skill NAME                  print a skill in full and record that it was read
  check                       what the stage still lacks; changes nothing
  advance                     ask to leave the stage
  evidence run -- COMMAND     run a command and keep it as evidence
  evidence add FILE [--kind image|log|api] [--pair before:NAME|after:NAME]
  evidence add PATH:LINE[-LINE]   keep lines of the baseline as evidence
  sync                        bring the baseline into the worktree
  footer                      print the status footer that ends every answer
`;

interface Call {
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** To be done after the answer, whatever it is. */
  done?(): void;
}

export async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === '--version') return print(`lattice ${version}\n`, 0);
  if (argv[0] === '--help' || argv[0] === 'help') return print(usage, 0);
  const call = await readCall(argv);
  if (typeof call === 'string') {
    process.stderr.write(`lattice: ${call}\n${usage}`);
    return 2;
  }
  try {
    const result = await ask(call);
    if (result.json !== undefined) process.stdout.write(`${JSON.stringify(result.json)}\n`);
    else process.stdout.write(result.text.endsWith('\n') || result.text === '' ? result.text : `${result.text}\n`);
    return result.exitCode ?? 0;
  } catch (error) {
    return refuse(error);
  } finally {
    call.done?.();
  }
}

async function readCall(argv: readonly string[]): Promise<Call | string> {
  const [verb, ...rest] = argv;
  switch (verb) {
    case 'status':
    case 'advance':
    case 'check':
    case 'sync':
    case 'footer':
      return rest.length === 0 ? { method: verb, params: {} } : `${verb} takes nothing else`;
    case 'skill':
      return rest.length === 1 ? { method: 'skill', params: { name: rest[0] } } : 'skill takes one name';
    case 'evidence':
      return readEvidence(rest);
    case 'hook':
      return rest.length === 1
        ? { method: 'hook', params: { runtime: rest[0], event: await hookPayload() } }
        : 'hook takes one runtime';
    case undefined:
      return 'a verb is missing';
    default:
      return `there is no verb ${verb}`;
  }
}

function readEvidence(argv: readonly string[]): Call | string {
  const [verb, ...rest] = argv;
  if (verb === 'run') {
    const command = rest[0] === '--' ? rest.slice(1) : rest;
    return command.length === 0
      ? 'evidence run needs a command after --'
      : { method: 'evidence.run', params: { argv: command, cwd: process.cwd() } };
  }
  if (verb !== 'add') return 'evidence is run or add';
  const params: Record<string, unknown> = { cwd: process.cwd() };
  const files: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    if (word === '--kind' || word === '--pair') params[word.slice(2)] = rest[++i];
    else if (word.startsWith('--')) return `evidence add knows no ${word}`;
    else files.push(word);
  }
  const [name] = files;
  if (name === undefined || files.length > 1) return 'evidence add takes one file';
  const handed = handOver(name);
  return { method: 'evidence.add', params: { ...params, file: handed.file }, done: () => handed.done() };
}

/** A runtime's payload, with when it was made and in which start of the program: hooks run side by side. */
async function hookPayload(): Promise<unknown> {
  const gatehouse = { at: Date.now(), marker: process.env.GATEHOUSE_SESSION_ID ?? null };
  const text = await readInput();
  try {
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && payload !== null ? { ...payload, gatehouse } : payload;
  } catch {
    return { unreadable: text.slice(0, 2000) };
  }
}

async function ask(call: Call): Promise<LatticeResult> {
  const path = process.env.GATEHOUSE_RUN_SOCKET;
  if (!path) {
    throw new GatehouseError(
      'usage.invalid',
      'lattice works only inside a session of Gatehouse',
      'call it from there; outside, gatehouse show RUN tells where a run stands',
    );
  }
  const socket = createConnection(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (cause) =>
      reject(
        new GatehouseError(
          'host.unreachable',
          'the run socket does not answer',
          'end your turn; a person has to look at this run',
          { cause },
        ),
      ),
    );
  });
  const channel = new Channel(socket);
  try {
    return (await channel.request(call.method, call.params)) as LatticeResult;
  } finally {
    channel.end();
  }
}

function refuse(error: unknown): number {
  const body = toErrorBody(error);
  const problems = (body.details as RefusalDetails | undefined)?.problems ?? [];
  process.stderr.write(`lattice: ${body.message}\n  ${body.hint}\n${problems.map(problemLine).join('')}`);
  return body.code === 'usage.invalid' ? 2 : 1;
}

function problemLine(problem: Problem): string {
  return `  ${problem.file}${problem.line === null ? '' : `:${problem.line}`} ${problem.rule}: ${problem.message}\n`;
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
