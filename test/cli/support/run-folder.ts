// The folder of a run that has passed the first gate, made by the rules and the journal themselves, without host or agent.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialState } from '../../../src/core/initial-state.ts';
import type { RunEvent } from '../../../src/core/event.ts';
import type { RunState } from '../../../src/core/state.ts';
import { transition } from '../../../src/core/transition.ts';
import { type JournalEntry, formatEntry, makeEntry } from '../../../src/engine/journal.ts';
import { homePaths, type RunPaths } from '../../../src/platform/paths.ts';

/** Shaped as a token of a code host; an agent printed it. */
export const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

export const run = 'bug-12';
/** Of the home that wrote the journal. */
export const key = Buffer.alloc(32, 7);
const tree = 'a'.repeat(40);
const operator = { name: 'Ada', user: 'ada', tty: null, signature: null };
const idea = '# Idea\n\nRound once, at the end.\n';
const diagnosis = '# Diagnosis\n\nRounded twice, see E1.\n';
const log = 'AssertionError: 10.01 is not 10\n';

export interface RunFolderOptions {
  /** Put the secret into the log that is evidence, and into the recording. */
  readonly leaky?: boolean;
  /** Put it into the state, and so into the journal. */
  readonly leakyState?: boolean;
}

export function makeRunFolder(home: string, { leaky = false, leakyState = false }: RunFolderOptions = {}): RunPaths {
  const place = homePaths(home).run(run);
  for (const dir of [place.dir, place.artifacts, place.evidence, place.versions, join(place.runtime, 'scripted')])
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  const evidence = leaky ? `${log}GITHUB_TOKEN=${secret}\n` : log;
  writeFileSync(join(place.evidence, 'E1-aa.log'), evidence);
  writeFileSync(join(place.evidence, 'before.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]));
  writeFileSync(join(place.artifacts, 'diagnosis.md'), diagnosis);
  writeFileSync(join(place.artifacts, 'idea.md'), idea);
  for (const text of [idea, diagnosis]) writeFileSync(join(place.versions, sha(text)), text);
  writeRecord(place, evidence, leakyState ? `${log} ${secret}` : log);
  writeLaunch(place);
  writeRecording(place, leaky);
  return place;
}

function writeRecord(place: RunPaths, evidence: string, excerpt: string): void {
  const events: RunEvent[] = [
    { type: 'task.initialized', at: at(0), repository },
    { type: 'skill.read', at: at(1), read: { name: 'lattice-diagnose', sha256: sha('skill') } },
    {
      type: 'evidence.recorded',
      at: at(2),
      evidence: {
        id: 'E1',
        kind: 'command',
        stage: 'diagnose',
        time: at(2),
        tree,
        commit: tree,
        command: 'npm test',
        exitCode: 1,
        durationMs: 900,
        declaredTest: true,
        origin: null,
        file: 'E1-aa.log',
        sha256: sha(evidence),
        sizeBytes: evidence.length,
        excerpt,
        image: null,
        pair: null,
      },
    },
    completed(3, 'diagnosis.md', diagnosis, 'lattice-diagnose', { stage: 'diagnose' }),
    { type: 'skill.read', at: at(4), read: { name: 'lattice-idea', sha256: sha('skill') } },
    completed(5, 'idea.md', idea, 'lattice-idea', {
      stage: 'draft',
      decisions: [],
      userFacing: false,
      visible: false,
      subject,
    }),
    {
      type: 'gate.approved',
      at: at(6),
      gate: 'development',
      round: 1,
      line: '[START DEVELOPMENT]',
      operator,
      shown: subject,
      present: subject,
    },
  ];
  const task = { id: 'BUG-12', title: 'Totals', description: 'Rounded twice', labels: [], priority: 'high' as const };
  const tokens = { development: '[START DEVELOPMENT]', testing: '[SUBMIT FOR TESTING]' };
  const entries = [
    entry(
      null,
      { type: 'run.created', at: at(0) },
      initialState({ run, task, tokens, reviewSession: 'fresh', at: at(0) }),
    ),
  ];
  for (const event of events) {
    const before = entries.at(-1);
    if (before === undefined) throw new Error('unreachable');
    const verdict = transition(before.state, event);
    if (!verdict.ok) throw new Error(`${event.type}: ${verdict.rejection.message}`);
    entries.push(entry(before, event, verdict.state));
  }
  const last = entries.at(-1);
  writeFileSync(place.journal, entries.map(formatEntry).join(''));
  writeFileSync(place.state, `${JSON.stringify({ state: last?.state, head: last?.hash, seq: last?.seq }, null, 1)}\n`);
}

function entry(before: JournalEntry | null, event: JournalEntry['event'], state: RunState): JournalEntry {
  return makeEntry(key, before, { time: event.at, event, state });
}

function completed(
  minute: number,
  name: 'diagnosis.md' | 'idea.md',
  text: string,
  skill: 'lattice-diagnose' | 'lattice-idea',
  outcome: Extract<RunEvent, { type: 'stage.completed' }>['outcome'],
): RunEvent {
  const stage = outcome.stage;
  const record = {
    name,
    path: `artifacts/${name}`,
    sha256: sha(text),
    sizeBytes: text.length,
    stage,
    time: at(minute),
  };
  return {
    type: 'stage.completed',
    at: at(minute),
    artifacts: [record],
    skills: [{ name: skill, sha256: sha('skill') }],
    outcome,
  };
}

function writeLaunch(place: RunPaths): void {
  const session = {
    runtimeSession: 's-1',
    endedAt: null,
    exit: null,
    stage: 'diagnose',
    kind: 'first',
    writes: 'scratch',
  };
  const record = {
    version: 1,
    run,
    runtime: 'scripted',
    runtimeEntry: null,
    sessions: [{ number: 1, startedAt: at(0), ...session }],
  };
  writeFileSync(place.launch, JSON.stringify(record));
}

function writeRecording(place: RunPaths, leaky: boolean): void {
  const start = Math.floor(Date.parse(at(0)) / 1000);
  const lines = [
    { version: 3, term: { cols: 80, rows: 24, type: 'xterm-256color' }, timestamp: start },
    [0.5, 'm', 'session 1'],
    [1.25, 'o', leaky ? `\u001b[1mexport TOKEN=${secret}\u001b[m\r\n` : 'hello\r\n'],
    [60, 'm', 'stage draft'],
  ];
  writeFileSync(place.recording, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(place.index, `${JSON.stringify({ offset: 0, time: 0, cols: 80, rows: 24, snapshot: '' })}\n`);
}

/** What the scripted runtime keeps of its conversation. */
export function writeTranscript(place: RunPaths): void {
  const lines = [
    { at: at(1), kind: 'user', text: 'Find the cause' },
    { at: at(2), kind: 'tool', tool: 'bash', text: 'npm test' },
    { at: at(2), kind: 'tool-result', text: 'red\u001b[31m', failed: true },
    { at: at(7), kind: 'assistant', text: `done ${secret}` },
  ];
  writeFileSync(
    join(place.runtime, 'scripted', 's-1.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}

export function at(minute: number): string {
  return new Date(Date.parse('2026-03-01T10:00:00Z') + minute * 60_000).toISOString();
}

export function sha(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

const subject = { files: [{ path: 'artifacts/idea.md', sha256: sha(idea) }], tree: null };

const repository = {
  root: '/tmp/clone',
  remote: null,
  remoteUrl: null,
  baselineBranch: 'staging',
  baselineCommit: tree,
  developmentBranch: 'develop',
  workingBranch: `gatehouse/${run}`,
  reviewBranch: `gatehouse/review/${run}`,
  testCommand: 'npm test',
  sync: 'merge' as const,
  terminology: [],
  setupCommand: null,
  previewUrl: null,
  policySource: 'gatehouse.json',
};
