// Runs as a host would describe them: all stages, all activities, titles that are hard to lay out.
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import { stageNames, stageNumber } from '../../../src/core/stage.ts';
import type { RunState } from '../../../src/core/state.ts';

const startedAt = '2026-03-01T02:00:00.000Z';
export const nowMs = Date.parse('2026-03-01T03:00:00.000Z');

const titles = [
  'List of temporary directories runs out of the dialog',
  'Sizes over 1 TB are shown in GB',
  '日本語のラベルがずれる',
  'Flags 🇩🇪🇫🇷 and families 👨‍👩‍👧‍👦 and ❤️ in names',
  'report --json prints a trailing comma when the store is empty',
  'מיון לפי גודל',
  'Clean removes pinned artefacts',
  'café é combining marks and 1️⃣ keycaps',
];

export function sampleRun(index: number, over: Partial<RunSummary> = {}): RunSummary {
  const stage = over.stage ?? stageNames[index % stageNames.length] ?? 'diagnose';
  const gate = stage === 'await-development' ? 'development' : stage === 'await-testing' ? 'testing' : null;
  const halted = stage === 'halted';
  const done = stage === 'ready-for-testing';
  const id = over.id ?? `tb-${101 + index}-x${index}`;
  return {
    id,
    task: {
      id: `TB-${101 + index}`,
      title: titles[index % titles.length] ?? '',
      labels: ['cli'],
      priority: (['normal', 'high', 'urgent', 'low'] as const)[index % 4] ?? 'normal',
    },
    runtime: 'scripted',
    agent: null,
    stage,
    stageNumber: stageNumber(stage, halted ? 'review' : null),
    activity: done
      ? 'exited'
      : gate === null && !halted
        ? ((['working', 'working', 'idle', 'unknown', 'blocked'] as const)[index % 5] ?? 'working')
        : 'idle',
    activityReason: 'the runtime reported work 3s ago',
    remedy: '',
    pendingToken: gate === null ? null : gate === 'development' ? '[START DEVELOPMENT]' : '[SUBMIT FOR TESTING]',
    decisions: gate === 'development' ? sampleDecisions : [],
    reviewCount: halted ? 6 : index % 3,
    reviewLimit: 6,
    needsMe: gate !== null || halted,
    needsMeReason: gate !== null ? 'a gate waits for your token' : halted ? 'halted: review cap reached' : '',
    since: new Date(nowMs - (index + 1) * 7 * 60_000).toISOString(),
    halt: halted ? 'review cap reached: review 6 found F2 blocking, and 6 reviews are used' : null,
    disputed: null,
    sandbox: 'bwrap',
    changes: 'watched',
    recording: done ? 'stopped' : 'recording',
    runtimeWarning: null,
    worktree: `/home/op/.local/state/gatehouse/runs/${id}/worktree`,
    dir: `/home/op/.local/state/gatehouse/runs/${id}`,
    lastLine: `● Bash(npm test -- --grep "size ${index}")`,
    startedAt,
    ...over,
  };
}

const sampleDecisions = [
  {
    id: '1',
    question: 'What happens with lists that are longer than the window?',
    options: [
      { id: 'A', text: 'The list scrolls inside the dialog; the buttons stay visible' },
      { id: 'B', text: 'The dialog grows up to the height of the window' },
    ],
    recommended: 'A',
  },
  {
    id: '2',
    question: 'Wording of the hint below the list',
    options: [
      { id: 'A', text: '"{count} directories, {size} in total"' },
      { id: 'B', text: '"Total: {size} in {count} directories"' },
      { id: 'C', text: 'no hint' },
    ],
    recommended: 'B',
  },
] as const;

export const ideaText = `# Proposal: keep the list inside the dialog

## What changes

- The list gets a fixed height of **eight** rows and scrolls (E2).
- \`src/picture/clear-cache-dialog.js\` draws a scroll bar when there is more (E3).

## What stays

1. The texts of the buttons.
2. The order of the list, as \`tidybuild list\` prints it.

| place | now | then |
|---|---|---|
| dialog | 420x900 | 420x320 |
| buttons | outside | visible |

\`\`\`js
drawList(canvas, rows.slice(top, top + 8));
\`\`\`

> Quoted from docs/terminology.md: 「キャッシュ」 is never translated.

<!-- a comment that must be seen -->

## Decisions

1. Long lists: A scroll, B grow. Recommended: A
2. Wording: A, B or C. Recommended: B
`;

export const diffText = `diff --git a/src/picture/clear-cache-dialog.js b/src/picture/clear-cache-dialog.js
index 1111111..2222222 100644
--- a/src/picture/clear-cache-dialog.js
+++ b/src/picture/clear-cache-dialog.js
@@ -10,7 +10,9 @@ export function draw(canvas, rows) {
   frame(canvas);
-  for (const row of rows) drawRow(canvas, row);
+  const visible = rows.slice(0, 8);
+  for (const row of visible) drawRow(canvas, row);
+  if (rows.length > 8) scrollBar(canvas, rows.length);
   buttons(canvas);
 }
diff --git a/test/picture.test.js b/test/picture.test.js
index 3333333..4444444 100644
--- a/test/picture.test.js
+++ b/test/picture.test.js
@@ -1,3 +1,4 @@
+import { draw } from '../src/picture/clear-cache-dialog.js';
 test('dialog', () => {});
`;

const sha = (digit: string) => digit.repeat(64);
const object = (digit: string) => digit.repeat(40);

export function sampleDetail(run: RunSummary, over: Partial<RunDetail> = {}): RunDetail {
  const gateName = run.stage === 'await-development' ? 'development' : run.stage === 'await-testing' ? 'testing' : null;
  const gate =
    gateName === null
      ? null
      : ({
          name: gateName,
          round: 1,
          openedAt: run.since,
          subject:
            gateName === 'development'
              ? { files: [{ path: 'artifacts/idea.md', sha256: sha('a') }], tree: null }
              : { files: [{ path: 'artifacts/ship-summary.md', sha256: sha('b') }], tree: object('c') },
        } as const);
  return {
    ...run,
    state: sampleState(run, gate),
    stateError: null,
    gate,
    exampleLine: null,
    allDecisions: run.decisions.map((decision) => ({ ...decision, options: [...decision.options], chosen: null })),
    why: [
      { source: 'state', says: `stage ${run.stage}`, at: run.since, decided: false },
      { source: 'event', says: run.activityReason, at: run.since, decided: true },
      { source: 'screen', says: run.lastLine, at: null, decided: false },
    ],
    artifacts: [
      { name: 'diagnosis.md', sha256: sha('d'), sizeBytes: 1200, recorded: 'same' },
      { name: 'idea.md', sha256: sha('a'), sizeBytes: 900, recorded: 'same' },
      ...(gateName === 'testing'
        ? [{ name: 'ship-summary.md', sha256: sha('b'), sizeBytes: 700, recorded: 'same' as const }]
        : []),
    ],
    sessions: [
      {
        number: 1,
        runtimeSession: 's1',
        startedAt,
        endedAt: null,
        exit: null,
        stage: run.stage,
        entry: 1,
        kind: 'first',
        conversation: 'main',
        writes: 'scratch',
      },
    ],
    refusals: [],
    dialog: null,
    holderPid: 4242,
    recordPolicy: 'full',
    limits: null,
    sessionPid: 4243,
    ...over,
  };
}

function sampleState(run: RunSummary, gate: RunDetail['gate']): RunState {
  return {
    version: 1,
    run: run.id,
    task: { ...run.task, labels: [...run.task.labels], description: 'text' },
    repository: null,
    presented: [],
    toAnswer: [],
    product: null,
    authors: [],
    reviewSession: 'fresh',
    tokens: { development: '[START DEVELOPMENT]', testing: '[SUBMIT FOR TESTING]' },
    stage: run.stage,
    since: run.since,
    entry: 3,
    gate: gate === null ? null : { ...gate, subject: { files: [...gate.subject.files], tree: gate.subject.tree } },
    gateRounds: { development: 1, testing: 0 },
    approvals: [],
    decisions: run.decisions.map((decision) => ({ ...decision, options: [...decision.options], chosen: null })),
    userFacing: true,
    visible: true,
    artifacts: [],
    evidence: [sampleEvidence('E1', 'tidybuild list --json', 1), sampleEvidence('E2', 'npm test', 0)],
    reviews: { limit: 6, granted: 0, rounds: [] },
    sync: null,
    verification: { status: 'none', tree: null, time: null },
    skillsRead: [],
    feedback: [],
    delivery: null,
    halt:
      run.halt === null
        ? null
        : {
            code: 'review-limit',
            reason: run.halt,
            hint: 'read the reports; grant another round (grant), or stop the run',
            from: 'review',
            time: run.since,
            evidence: null,
          },
    history: [
      { from: null, to: 'initialize', reason: 'started', time: startedAt, actor: 'engine', files: [], approval: null },
      {
        from: 'initialize',
        to: 'diagnose',
        reason: 'task and worktree in order',
        time: startedAt,
        actor: 'engine',
        files: [],
        approval: null,
      },
      {
        from: 'diagnose',
        to: 'draft',
        reason: 'diagnosis complete',
        time: run.since,
        actor: 'agent',
        files: [{ path: 'artifacts/diagnosis.md', sha256: sha('d') }],
        approval: null,
      },
    ],
  };
}

function sampleEvidence(id: string, command: string, exitCode: number): RunState['evidence'][number] {
  return {
    id,
    kind: 'command',
    stage: 'diagnose',
    time: startedAt,
    tree: object('1'),
    commit: object('2'),
    command,
    exitCode,
    durationMs: 1234,
    declaredTest: command === 'npm test',
    origin: null,
    file: `${id}.log`,
    sha256: sha('e'),
    sizeBytes: 100,
    excerpt: `output of ${command}\nsecond line`,
    image: null,
    pair: null,
  };
}
