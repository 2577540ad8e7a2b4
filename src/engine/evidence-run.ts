// `lattice evidence run -- CMD`: the engine runs it, so that output and exit code are facts.
import { realpath } from 'node:fs/promises';
import { inertText } from '../core/inert.ts';
import { stageRules } from '../core/stage.ts';
import { type Evidence, type RunState } from '../core/state.ts';
import { nextEvidenceId } from '../core/transition.ts';
import type { AskParams } from './api.ts';
import { sha256 } from './canonical.ts';
import { type RunContext, applied, refuse, repositoryOf } from './context.ts';
import { type CollectedOutput, collectOutput } from './collected-output.ts';
import { createEvidenceFile } from './evidence-files.ts';
import { inspectRun } from './inspect.ts';
import type { CommandResult } from './ports.ts';

type EvidenceRunParams = AskParams['evidence.run'];

/** Test suites of large products take long; one that is slower than this hangs. */
const timeoutMs = 60 * 60_000;
const excerptLines = 30;
const excerptLength = 4_000;

export async function runEvidence(run: RunContext, params: EvidenceRunParams): Promise<string> {
  const begun = await run.atomically(() => begin(run, params));
  const output = collectOutput();
  // Not in the queue: a person can look and decide while tests run for minutes.
  const result = await run.ports.runCommand({
    argv: params.argv,
    cwd: begun.cwd,
    env: begun.env,
    timeoutMs,
    onOutput: output.take,
  });
  return run.atomically(() => record(run, params, begun, result, output));
}

interface Begun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stage: Evidence['stage'];
  readonly entry: number;
  readonly tree: string;
  readonly commit: string;
  readonly declaredTest: boolean;
}

async function begin(run: RunContext, params: EvidenceRunParams): Promise<Begun> {
  await inspectRun(run);
  const state = run.state();
  const stage = agentStage(state);
  const cwd = await insideWorktree(run, params.cwd);
  const atRoot = cwd === (await realpath(run.paths.worktree));
  const declared = atRoot && isDeclaredTest(params.argv, repositoryOf(state).testCommand);
  return {
    cwd,
    // The declared test command runs in the plain environment, or a changed PATH could stand in for it.
    env: declared ? {} : (params.env ?? {}),
    stage,
    entry: state.entry,
    tree: await run.workspace().tree(),
    commit: await run.workspace().head(),
    declaredTest: declared,
  };
}

async function record(
  run: RunContext,
  params: EvidenceRunParams,
  begun: Begun,
  result: CommandResult,
  output: CollectedOutput,
): Promise<string> {
  if (run.state().entry !== begun.entry) {
    throw refuse('evidence.invalid', 'the stage ended while the command ran', 'run it again in this stage');
  }
  if (result.failure !== null) {
    throw refuse('evidence.invalid', `the command could not be started: ${result.failure}`, 'check the program name');
  }
  await inspectRun(run);
  const state = run.state();
  if (state.entry !== begun.entry) {
    throw refuse(
      'evidence.invalid',
      'the command changed files that may not change now; it is not recorded',
      'end your turn; a person has to look at this',
    );
  }
  const id = nextEvidenceId(state);
  const file = await createEvidenceFile(run.paths, id, '.out');
  const text = output.text();
  await file.write(text);
  await file.close();
  const after = await run.workspace().tree();
  const excerpt = excerptOf(text.toString('utf8'));
  const evidence: Evidence = {
    id,
    kind: 'command',
    stage: begun.stage,
    time: run.now(),
    tree: begun.tree,
    commit: begun.commit,
    command: commandLine(params.argv),
    exitCode: result.exitCode,
    durationMs: Math.round(result.durationMs),
    declaredTest: begun.declaredTest,
    origin: environmentNote(begun.env, result),
    file: file.name,
    sha256: sha256(text),
    sizeBytes: text.length,
    excerpt,
    image: null,
    pair: null,
  };
  await applied(run, { type: 'evidence.recorded', evidence, at: run.now() });
  return report(evidence, output, after !== begun.tree);
}

/** The stage, if the agent works in it. */
export function agentStage(state: RunState): Evidence['stage'] {
  const stage = state.stage;
  if (stage !== 'halted' && stage !== 'ready-for-testing' && stageRules[stage].actor === 'agent') return stage;
  throw refuse('stage.wrong', `nothing can be recorded in stage ${stage}`, 'run: lattice status');
}

/** By the exact command: as words, or handed to a shell as one text. */
export function isDeclaredTest(argv: readonly string[], testCommand: string): boolean {
  const shells = ['sh', 'bash', '/bin/sh', '/bin/bash'];
  if (argv.length === 3 && shells.includes(argv[0] ?? '') && argv[1] === '-c') return argv[2] === testCommand;
  return argv.every((word) => /^\S+$/.test(word)) && argv.join(' ') === testCommand;
}

async function insideWorktree(run: RunContext, cwd: string): Promise<string> {
  const root = await realpath(run.paths.worktree);
  const real = await realpath(cwd).catch(() => '');
  if (real === root || real.startsWith(`${root}/`)) return real;
  throw refuse('evidence.invalid', `${cwd} is not inside the worktree`, `change to ${run.paths.worktree} first`);
}

export function excerptOf(text: string): string {
  const lines = inertText(text).split('\n');
  // The end says how it went; the beginning says what it was.
  const shown =
    lines.length <= excerptLines
      ? lines
      : [
          ...lines.slice(0, excerptLines / 2),
          `... ${lines.length - excerptLines} lines ...`,
          ...lines.slice(-excerptLines / 2),
        ];
  const joined = shown.join('\n').trimEnd();
  return joined.length <= excerptLength ? joined : `${joined.slice(0, excerptLength)} ...`;
}

function commandLine(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`)).join(' ');
}

/** Names only: a value may be a secret. */
function environmentNote(env: Readonly<Record<string, string>>, result: CommandResult): string | null {
  const names = Object.keys(env).toSorted();
  const parts = [
    ...(names.length === 0 ? [] : [`environment: ${names.join(' ')}`]),
    ...(result.timedOut ? ['ended by the time limit'] : []),
    ...(result.signal === null ? [] : [`ended by ${result.signal}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function report(evidence: Evidence, output: CollectedOutput, changedTree: boolean): string {
  const how = evidence.exitCode === null ? (evidence.origin ?? 'no exit code') : `exit code ${evidence.exitCode}`;
  const test = evidence.declaredTest ? ', the declared test command' : '';
  const lines = [
    `${evidence.id}: ${how} after ${evidence.durationMs} ms${test}`,
    `tree ${evidence.tree}; full output: evidence/${evidence.file} (${evidence.sizeBytes} bytes)`,
  ];
  if (output.droppedBytes() > 0) lines.push(`${output.droppedBytes()} bytes more were printed and not kept`);
  if (changedTree)
    lines.push('note: the command itself changed files that are not ignored; the tree is another one now');
  return [...lines, '', evidence.excerpt].join('\n');
}
