// state.json: where a run stands. Only the engine writes it; every part is checked when it is read.
import { z } from 'zod';
import { decisionSchema } from './decision.ts';
import { artifactNames, skillNames, stageSchema, workStages } from './stage.ts';
import { taskSchema } from './task.ts';

const time = z.iso.datetime();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A git object name: commit or tree. */
const objectName = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const workStage = z.enum(workStages);

export const repositorySchema = z.strictObject({
  /** The operator's clone. */
  root: z.string(),
  remote: z.string().nullable(),
  remoteUrl: z.string().nullable(),
  baselineBranch: z.string(),
  baselineCommit: objectName,
  developmentBranch: z.string(),
  workingBranch: z.string(),
  reviewBranch: z.string(),
  testCommand: z.string(),
  setupCommand: z.string().nullable().default(null),
  sync: z.enum(['merge', 'rebase']),
  /** Files with the repository's rules for words that users read. */
  terminology: z.array(z.string()),
  previewUrl: z.string().nullable(),
  /** Where the policy came from: the repository's file, config.json, or defaults. */
  policySource: z.string(),
});
export type RepositoryFacts = z.infer<typeof repositorySchema>;

export const fileHashSchema = z.strictObject({ path: z.string(), sha256 });
export type FileHash = z.infer<typeof fileHashSchema>;

/** What a person was shown when asked: the exact files, and for gate 2 the exact tree. */
export const subjectSchema = z.strictObject({ files: z.array(fileHashSchema), tree: objectName.nullable() });
export type Subject = z.infer<typeof subjectSchema>;

export const gateSchema = z.strictObject({
  name: z.enum(['development', 'testing']),
  /** How many times this gate has been opened to a person in this run; an approval is bound to it. */
  round: z.number().int().positive(),
  openedAt: time,
  subject: subjectSchema,
});
export type Gate = z.infer<typeof gateSchema>;

export const operatorSchema = z.strictObject({
  name: z.string().min(1),
  user: z.string(),
  tty: z.string().nullable(),
  signature: z.strictObject({ principal: z.string(), armored: z.string() }).nullable(),
});
export type Operator = z.infer<typeof operatorSchema>;

export const approvalSchema = z.strictObject({
  gate: z.enum(['development', 'testing']),
  round: z.number().int().positive(),
  line: z.string(),
  token: z.string(),
  choices: z.record(z.string(), z.string()),
  operator: operatorSchema,
  time,
  subject: subjectSchema,
  /** Set when what was approved changed afterwards; a stale approval opens nothing. */
  staleSince: time.nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

export const artifactRecordSchema = z.strictObject({
  name: z.enum(artifactNames),
  path: z.string(),
  sha256,
  sizeBytes: z.number().int().nonnegative(),
  stage: workStage,
  time,
});
export type ArtifactRecord = z.infer<typeof artifactRecordSchema>;

export const evidenceSchema = z.strictObject({
  id: z.string().regex(/^E[1-9][0-9]*$/),
  kind: z.enum(['command', 'image', 'log', 'api', 'source']),
  stage: workStage,
  time,
  /** The tree of the worktree when it was recorded; evidence on another tree than the delivered one does not verify it. */
  tree: objectName,
  commit: objectName,
  /** `command`: what the engine ran. */
  command: z.string().nullable(),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nonnegative().nullable(),
  declaredTest: z.boolean(),
  /** `source`: path:line at the baseline; else where the file came from. */
  origin: z.string().nullable(),
  /** Stored copy below the run's evidence/ folder, with its hash; full output for commands. */
  file: z.string().nullable(),
  sha256: sha256.nullable(),
  sizeBytes: z.number().int().nonnegative(),
  /** First lines, for display; inert text. */
  excerpt: z.string(),
  image: z.strictObject({ width: z.number().int(), height: z.number().int(), format: z.string() }).nullable(),
  pair: z.strictObject({ side: z.enum(['before', 'after']), name: z.string() }).nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const findingSchema = z.strictObject({
  /** F1 of a review, V1 of a verification, O1 of an operator's feedback, D1 of a delivery. */
  id: z.string().regex(/^[A-Z]{1,3}[1-9][0-9]{0,3}$/),
  severity: z.enum(['blocking', 'advisory']),
  title: z.string(),
  place: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

export const reviewRoundSchema = z.strictObject({
  round: z.number().int().positive(),
  time,
  /** The tree that was judged; an edit after it makes the review void. */
  tree: objectName,
  report: fileHashSchema,
  session: z.string().nullable(),
  findings: z.array(findingSchema),
  verdict: z.enum(['pass', 'blocked']),
});
export type ReviewRound = z.infer<typeof reviewRoundSchema>;

export const skillReadSchema = z.strictObject({
  name: z.enum(skillNames),
  sha256,
  time,
  stage: workStage,
  entry: z.number().int(),
});
export type SkillRead = z.infer<typeof skillReadSchema>;

export const haltCodes = [
  'review-limit',
  'delivery-conflict',
  'delivery-failed',
  'boundary-violated',
  'start-failed',
  'operator',
] as const;

export const haltSchema = z.strictObject({
  code: z.enum(haltCodes),
  reason: z.string(),
  /** What the person can do, in words. */
  hint: z.string(),
  from: workStage,
  time,
  /** For a violated boundary: the evidence file that keeps the diff. */
  evidence: z.string().nullable(),
});
export type Halt = z.infer<typeof haltSchema>;

export const transitionRecordSchema = z.strictObject({
  from: stageSchema.nullable(),
  to: stageSchema,
  reason: z.string(),
  time,
  actor: z.enum(['agent', 'operator', 'engine']),
  files: z.array(fileHashSchema),
  /** Present where a person approved: the exact token, who, when, and what exactly. */
  approval: z
    .strictObject({ token: z.string(), line: z.string(), operator: z.string(), time, subject: subjectSchema })
    .nullable(),
});
export type TransitionRecord = z.infer<typeof transitionRecordSchema>;

export const deliverySchema = z.strictObject({
  /** Commit on the review branch that carries the approved tree, and where to compare it. */
  reviewCommit: objectName.nullable(),
  reviewBranch: z.string(),
  compareLink: z.string().nullable(),
  finalCommit: objectName.nullable(),
  mergeCommit: objectName.nullable(),
  pushedTo: z.string().nullable(),
  taskStatus: z.string().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const stateVersion = 1;

export const runStateSchema = z.strictObject({
  version: z.literal(stateVersion),
  run: z.string(),
  task: taskSchema,
  repository: repositorySchema.nullable(),
  tokens: z.strictObject({ development: z.string().min(1), testing: z.string().min(1) }),
  stage: stageSchema,
  since: time,
  /** How many stages were entered so far; ties a skill read to this entry of the stage. */
  entry: z.number().int().nonnegative(),
  gate: gateSchema.nullable(),
  gateRounds: z.strictObject({ development: z.number().int(), testing: z.number().int() }),
  /** What a person was shown each time a gate was opened or its content changed. */
  presented: z.array(
    z.strictObject({
      gate: z.enum(['development', 'testing']),
      round: z.number().int().positive(),
      time,
      subject: subjectSchema,
    }),
  ),
  approvals: z.array(approvalSchema),
  decisions: z.array(decisionSchema),
  userFacing: z.boolean(),
  visible: z.boolean(),
  artifacts: z.array(artifactRecordSchema),
  evidence: z.array(evidenceSchema),
  reviews: z.strictObject({
    limit: z.number().int().positive(),
    granted: z.number().int().nonnegative(),
    rounds: z.array(reviewRoundSchema),
  }),
  sync: z
    .strictObject({ commit: objectName, time, conflicts: z.array(z.string()), entry: z.number().int() })
    .nullable(),
  verification: z.strictObject({
    status: z.enum(['none', 'passed', 'failed']),
    tree: objectName.nullable(),
    time: time.nullable(),
  }),
  skillsRead: z.array(skillReadSchema),
  feedback: z.array(
    z.strictObject({
      gate: z.enum(['development', 'testing']),
      round: z.number().int(),
      text: z.string(),
      operator: z.string(),
      time,
    }),
  ),
  /** What the patch stage has to answer, by id. */
  toAnswer: z.array(findingSchema),
  /** The tree of the product since it may not change any more; null until a change was completed. */
  product: objectName.nullable(),
  /** Sessions that changed the product; a clean-room review is not theirs. */
  authors: z.array(z.string()),
  reviewSession: z.enum(['fresh', 'same']),
  delivery: deliverySchema.nullable(),
  halt: haltSchema.nullable(),
  history: z.array(transitionRecordSchema),
});
export type RunState = z.infer<typeof runStateSchema>;

/** The file: the state, and the hash of the journal entry that vouches for it. */
export const stateFileSchema = z.strictObject({
  state: runStateSchema,
  head: sha256,
  seq: z.number().int().nonnegative(),
});
export type StateFile = z.infer<typeof stateFileSchema>;

/** Reviews allowed before the run must wait for a person. */
export const reviewLimit = 6;

/** Reviews judged so far and the most allowed now, grants included. */
export function reviewCount(state: RunState): { count: number; limit: number } {
  return { count: state.reviews.rounds.length, limit: state.reviews.limit + state.reviews.granted };
}

/** The gate that waits for a person; a halted run keeps its gate, but nobody can decide it until the run goes on. */
export function openGateOf(state: RunState): Gate | null {
  return state.stage === 'halted' ? null : state.gate;
}

export function openDecisions(state: RunState) {
  return openGateOf(state)?.name === 'development' ? state.decisions.filter((d) => d.chosen === null) : [];
}

export function pendingToken(state: RunState): string | null {
  const gate = openGateOf(state);
  return gate === null ? null : state.tokens[gate.name];
}

/** How often what waits at the open gate has changed since the gate opened: whoever looked before has not seen it. */
export function changesSinceOpened(state: RunState): number {
  const { gate } = state;
  if (gate === null) return 0;
  const stage = gate.name === 'development' ? 'await-development' : 'await-testing';
  const opened = state.history.filter((t) => t.to === stage && t.from !== 'halted').length;
  return Math.max(0, gate.round - opened);
}

/** The approval that is in force for a gate, if any. */
export function validApproval(state: RunState, gate: Gate['name']): Approval | undefined {
  return state.approvals.findLast((a) => a.gate === gate && a.staleSince === null);
}
