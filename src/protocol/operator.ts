// Messages of the operator socket: console and CLI to host. Parameters are checked by the host with these schemas;
// results are typed for both sides in `OperatorMethods`.
import { z } from 'zod';
import { runtimeNames } from '../core/config.ts';
import type { RunDetail, RunSummary } from '../core/run.ts';
import { type Approval, subjectSchema } from '../core/state.ts';

const run = z.string().min(1).max(120);
const size = { cols: z.number().int().min(2).max(1000), rows: z.number().int().min(2).max(500) };

/** Who acts: taken from the operator's terminal by the client, kept in every record. */
export const actorSchema = z.strictObject({
  name: z.string().min(1).max(200),
  user: z.string().max(100),
  tty: z.string().max(100).nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

export const paramSchemas = {
  'host.status': z.strictObject({}),
  'host.stop': z.strictObject({}),
  'runs.list': z.strictObject({}),
  /** After the result, `runs.changed` events follow on this connection. */
  'runs.subscribe': z.strictObject({}),
  'run.start': z.strictObject({
    taskText: z.string().max(1_000_000),
    /** Where the text came from; for messages. */
    source: z.string(),
    repo: z.string(),
    runtime: z.enum(runtimeNames).optional(),
    agent: z.string().optional(),
    /** Extra settings of the scripted runtime. */
    scenario: z.record(z.string(), z.unknown()).optional(),
    actor: actorSchema,
  }),
  'run.show': z.strictObject({ run }),
  'run.artifact': z.strictObject({ run, name: z.string().max(200) }),
  'run.diff': z.strictObject({ run }),
  'run.approve': z.strictObject({
    run,
    line: z.string().max(4000),
    /** What the operator was shown; without it, what waits at the gate is meant. */
    shown: z.strictObject({ round: z.number().int(), subject: subjectSchema }).optional(),
    signature: z.strictObject({ principal: z.string(), armored: z.string() }).optional(),
    actor: actorSchema,
  }),
  'run.feedback': z.strictObject({
    run,
    text: z.string().trim().min(1).max(20_000),
    round: z.number().int().optional(),
    actor: actorSchema,
  }),
  'run.send': z.strictObject({ run, text: z.string().min(1).max(100_000), actor: actorSchema }),
  /** Answers the dialog that is open now, and only that one. */
  'run.answer': z.strictObject({ run, dialog: z.string(), choice: z.string(), actor: actorSchema }),
  'run.grant': z.strictObject({ run, actor: actorSchema }),
  'run.restore': z.strictObject({ run, actor: actorSchema }),
  'run.stop': z.strictObject({ run, actor: actorSchema }),
  'run.resume': z.strictObject({ run, to: z.enum(['same', 'patch']).optional(), actor: actorSchema }),
  /** After the result the connection carries bytes: kind 1 output, kind 2 input, and JSON events `resized`, `ended`. */
  'run.attach': z.strictObject({ run, mode: z.enum(['write', 'read']), ...size }),
  'run.resize': z.strictObject({ run, ...size }),
  /** After the result, `screen.changed` events with the rows of this run's screen follow, a few a second. */
  'run.watch-screen': z.strictObject({
    run,
    rows: z.number().int().min(1).max(200),
    cols: z.number().int().min(10).max(500),
  }),
  'run.unwatch-screen': z.strictObject({ run }),
} as const;

export type OperatorMethod = keyof typeof paramSchemas;
export type Params<M extends OperatorMethod> = z.input<(typeof paramSchemas)[M]>;

export interface HostStatus {
  readonly pid: number;
  readonly startedAt: string;
  readonly version: string;
  readonly home: string;
  readonly runs: number;
  readonly clients: number;
}

export interface ArtifactText {
  readonly name: string;
  readonly sha256: string;
  /** Inert text. */
  readonly text: string;
  /** The version that was presented at the gate before, when it differs. */
  readonly previous: string | null;
}

export interface RunDiff {
  readonly from: string;
  readonly tree: string;
  readonly stat: string;
  /** Unified diff, inert, capped; `truncated` counts the lines left out. */
  readonly text: string;
  readonly truncated: number;
}

export interface OperatorResults {
  'host.status': HostStatus;
  'host.stop': { stopping: true };
  'runs.list': { runs: RunSummary[] };
  'runs.subscribe': { runs: RunSummary[] };
  'run.start': { run: RunSummary };
  'run.show': RunDetail;
  'run.artifact': ArtifactText;
  'run.diff': RunDiff;
  'run.approve': { approval: Approval; stage: string };
  'run.feedback': { stage: string };
  'run.send': { submitted: true; how: string };
  'run.answer': { answered: true };
  'run.grant': { stage: string; reviewLimit: number };
  'run.restore': { stage: string };
  'run.stop': { stopped: true; leftOver: number[] };
  'run.resume': { stage: string; session: string };
  'run.attach': { cols: number; rows: number; snapshot: string };
  'run.resize': { cols: number; rows: number };
  'run.watch-screen': { watching: true };
  'run.unwatch-screen': { watching: false };
}
export type Result<M extends OperatorMethod> = OperatorResults[M];

/** Events that the host sends on its own. */
export type OperatorEvent =
  | { readonly event: 'runs.changed'; readonly changed: readonly RunSummary[]; readonly removed: readonly string[] }
  | { readonly event: 'screen.changed'; readonly run: string; readonly rows: readonly string[]; readonly title: string }
  | { readonly event: 'resized'; readonly cols: number; readonly rows: number }
  /** Output came faster than this viewer read it: so much was left out, and the present screen sent instead. */
  | { readonly event: 'skipped'; readonly bytes: number }
  | { readonly event: 'ended'; readonly reason: string }
  | { readonly event: 'notice'; readonly level: 'info' | 'warning'; readonly text: string; readonly bell: boolean };
