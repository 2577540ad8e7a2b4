// Where the run stands, what it waits for, and what a person can do about it.
import type { RunDetail } from '../../core/run.ts';
import { stageCount } from '../../core/stage.ts';
import type { Gate } from '../../core/state.ts';
import { type Section, type View, clock, indent, inert, rows, shellWord, short, when } from './section.ts';

export function overview(run: RunDetail, view: View): Section {
  const { paint } = view;
  const facts: (readonly [string, string] | null)[] = [
    ['stage', `${paint.bold(run.stage)} (${run.stageNumber} of ${stageCount}), since ${when(run.since, view.now)}`],
    ['needs you', run.needsMe ? paint.yellow(`yes: ${inert(run.needsMeReason)}`) : 'no'],
    run.pendingToken === null ? null : ['waits for', paint.yellow(inert(run.pendingToken))],
    run.halt === null ? null : ['halted', paint.red(inert(run.halt))],
    ['activity', `${run.activity}: ${inert(run.activityReason)}`],
    run.remedy === '' ? null : ['next', inert(run.remedy)],
    run.disputed === null ? null : ['disputed', paint.red(inert(run.disputed))],
    ['reviews', `${run.reviewCount} of ${run.reviewLimit}`],
    run.state === null ? null : ['verified', verified(run.state.verification)],
    ['task', taskLine(run)],
    ['runtime', runtimeLine(run)],
    run.runtimeWarning === null ? null : ['version', paint.yellow(inert(run.runtimeWarning))],
    ['processes', processLine(run)],
    run.limits === null ? null : ['limits', run.limits],
    ['last line', run.lastLine === '' ? '-' : inert(run.lastLine, 160)],
    repositoryLine(run),
    ['worktree', inert(run.worktree)],
    ['folder', inert(run.dir)],
    ['started', when(run.startedAt, view.now)],
  ];
  return { title: `${inert(run.id)}: ${inert(run.task.title)}`, lines: rows(facts.filter((fact) => fact !== null)) };
}

function verified(verification: { status: string; tree: string | null; time: string | null }): string {
  if (verification.tree === null || verification.time === null) return verification.status;
  return `${verification.status}, tree ${short(verification.tree)}, ${clock(verification.time)}`;
}

function taskLine(run: RunDetail): string {
  const labels = run.task.labels.length === 0 ? '' : `, labels ${run.task.labels.join(', ')}`;
  return inert(`${run.task.id}, priority ${run.task.priority}${labels}`);
}

function runtimeLine(run: RunDetail): string {
  const agent = run.agent === null ? '' : `, agent ${inert(run.agent)}`;
  const sandbox = run.sandbox === 'bwrap' ? 'sandboxed (bwrap)' : `not sandboxed (${run.sandbox})`;
  return `${run.runtime}${agent}, ${sandbox}, recording: ${recordingOf(run)}`;
}

function recordingOf({ recording, recordPolicy }: RunDetail): string {
  if (recordPolicy === 'off') return 'off (config.json when it was started)';
  return recordPolicy === 'masked' ? `${recording}, known secrets masked` : recording;
}

function processLine(run: RunDetail): string {
  const one = (name: string, pid: number | null) => `${name} ${pid === null ? 'none' : pid}`;
  return `${one('holder', run.holderPid)}, ${one('session', run.sessionPid)}`;
}

function repositoryLine(run: RunDetail): readonly [string, string] | null {
  const facts = run.state?.repository ?? null;
  if (facts === null) return null;
  return [
    'baseline',
    inert(`${facts.baselineBranch} at ${short(facts.baselineCommit)}, branch ${facts.workingBranch}, of ${facts.root}`),
  ];
}

export function dialog({ id, dialog: asked }: RunDetail): Section | null {
  if (asked === null) return null;
  const { name, guessed, text, choices } = asked;
  const how =
    choices.length === 0
      ? `answer it there: gatehouse attach ${shellWord(id)}`
      : `answer with: gatehouse answer ${shellWord(id)} CHOICE`;
  return {
    title: `The session asks (${inert(name)}${guessed ? ', as it looks' : ''})`,
    lines: [
      ...text.split('\n').map((line) => inert(line)),
      ...rows(choices.map((each) => [each.key, inert(each.label)])),
      how,
    ],
  };
}

export function stateError(run: RunDetail, { paint }: View): Section | null {
  const error = run.stateError;
  if (error === null) return null;
  return {
    title: 'State error',
    lines: [
      paint.red(inert(`${error.code}: ${error.message}`)),
      inert(error.hint),
      '',
      'Nothing is guessed and nothing repaired. Back to the last state that the engine vouches for, on record:',
      `  gatehouse restore ${shellWord(run.id)}`,
    ],
  };
}

export function halted(run: RunDetail, view: View): Section | null {
  const halt = run.state?.halt ?? null;
  if (halt === null) return null;
  const id = shellWord(run.id);
  const ways = halt.code === 'review-limit' ? [`gatehouse grant ${id}`] : [`gatehouse resume ${id}`];
  if (halt.code !== 'review-limit' && halt.code !== 'start-failed') ways.push(`gatehouse resume ${id} --to-patch`);
  return {
    title: 'Halted',
    lines: [
      view.paint.red(inert(halt.reason)),
      `${halt.code}, in ${halt.from}, ${when(halt.time, view.now)}`,
      ...(halt.evidence === null ? [] : [`kept as evidence: ${inert(halt.evidence)}`]),
      inert(halt.hint),
      ...indent(ways),
    ],
  };
}

export function decision(run: RunDetail, view: View): Section | null {
  const { gate, pendingToken } = run;
  if (gate === null || pendingToken === null) return null;
  const id = shellWord(run.id);
  return {
    title: `Your decision: ${gate.name} gate, round ${gate.round}, open since ${when(gate.openedAt, view.now)}`,
    lines: [
      ...run.decisions.flatMap((each) => [
        `${each.id}. ${inert(each.question)}`,
        ...each.options.map(
          (option) =>
            `   ${option.id}  ${inert(option.text)}${option.id === each.recommended ? view.paint.green('  (recommended)') : ''}`,
        ),
      ]),
      ...(run.decisions.length === 0 ? ['no open decisions; the token alone'] : []),
      '',
      'An approval is for exactly this:',
      ...indent(subjectRows(gate)),
      ...(run.exampleLine === null
        ? []
        : [
            '',
            run.decisions.length === 0 ? 'To approve:' : 'To approve, with the recommended options as an example:',
            `  gatehouse approve ${id} ${shellWord(inert(run.exampleLine, Infinity))}`,
          ]),
      'To send it back:',
      `  gatehouse feedback ${id} 'WHAT HAS TO CHANGE'`,
    ],
  };
}

function subjectRows({ subject }: Pick<Gate, 'subject'>): string[] {
  const files = subject.files.map((file) => [inert(file.path), file.sha256]);
  return rows(subject.tree === null ? files : [...files, ['tree', subject.tree]]);
}

export function why(run: RunDetail, view: View): Section | null {
  if (run.why.length === 0) return null;
  const cells = run.why.map((note) => [
    note.decided ? view.paint.green('decided') : '',
    note.source,
    note.at === null ? '' : when(note.at, view.now),
    inert(note.says, 200),
  ]);
  return { title: `Why ${run.activity}`, lines: rows(cells) };
}
