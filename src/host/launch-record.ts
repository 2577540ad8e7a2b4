// run.json: what was launched, and each relaunch. The host's own record; the workflow's truth is state.json.
import { z } from 'zod';
import { runtimeNames } from '../core/config.ts';
import { recordPolicies } from '../core/record-policy.ts';
import { GatehouseError } from '../core/error.ts';
import { stageSchema } from '../core/stage.ts';
import { taskSchema } from '../core/task.ts';
import { readTextIfThere, writeFileAtomic } from '../platform/atomic-file.ts';

export const sessionRecordSchema = z.strictObject({
  number: z.number().int().positive(),
  runtimeSession: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  exit: z
    .strictObject({
      code: z.number().nullable(),
      signal: z.string().nullable(),
      /** Why, where that is known. */
      note: z.string().exactOptional(),
      unheard: z.literal(true).exactOptional(),
    })
    .nullable(),
  stage: stageSchema,
  entry: z.number().int().nonnegative(),
  kind: z.enum(['first', 'resumed', 'fresh']),
  conversation: z.enum(['main', 'review']),
  note: z.string().exactOptional(),
  writes: z.enum(['scratch', 'product']),
});

export const launchRecordSchema = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  task: taskSchema,
  repo: z.string(),
  runtime: z.enum(runtimeNames),
  /** Name in config.json's `runtimes`, when it is one of those. */
  runtimeEntry: z.string().nullable(),
  agent: z.string().nullable(),
  scenario: z.record(z.string(), z.unknown()).nullable(),
  /** What of its output is kept: as config.json said when it was started. */
  record: z.enum(recordPolicies).default('full'),
  /** What the program said of its version when it was last looked at, if that was new to us. */
  runtimeWarning: z.string().nullable().default(null),
  createdAt: z.string(),
  startedBy: z.string(),
  /** The operator has ended the session; it is not started again on its own. */
  stopped: z.boolean(),
  /** The conversation that implements; a review has a session of its own and leaves this one alone. */
  mainSession: z.string().nullable(),
  /** The last entry of a stage (state.entry) that the session was put to work on; a later one still has to be. */
  enteredEntry: z.number().int().nonnegative(),
  /** How often a session that ended early was started again on its own, in one entry of a stage. */
  restarts: z.strictObject({ entry: z.number().int(), count: z.number().int().nonnegative() }),
  sessions: z.array(sessionRecordSchema),
});
export type LaunchRecord = z.infer<typeof launchRecordSchema>;

export async function readLaunchRecord(path: string): Promise<LaunchRecord> {
  const unreadable = (why: string, hint = 'the run is left as it is; its recording and artifacts can still be read') =>
    new GatehouseError('file.unreadable', `${path}: ${why}`, hint);
  const text = await readTextIfThere(path);
  if (text === null)
    throw unreadable('there is no such file', 'take the folder away if nothing is in it: then nothing was begun there');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  const parsed = launchRecordSchema.safeParse(value);
  if (!parsed.success) throw unreadable(parsed.error.issues[0]?.message ?? 'invalid');
  return parsed.data;
}

export function writeLaunchRecord(path: string, record: LaunchRecord): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
}
