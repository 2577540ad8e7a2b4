// Past versions of state.json, each with the step to the next. A version that is not here is a state error.
import { type RunState, type StateFile, runStateSchema, stateFileSchema, stateVersion } from '../core/state.ts';

type Step = (older: Record<string, unknown>) => Record<string, unknown>;

/** `steps[1]` makes version 2 of version 1. Version 1 is the first, so there is none yet. */
const steps: Readonly<Record<number, Step>> = {};

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

export function readState(value: unknown): Read<RunState> {
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version !== 'number' || !Number.isInteger(version)) return { ok: false, why: 'it names no version' };
  if (version > stateVersion) return { ok: false, why: `its version ${version} is unknown to this Gatehouse` };
  let current = value as Record<string, unknown>;
  for (let from = version; from < stateVersion; from++) {
    const step = steps[from];
    if (step === undefined) return { ok: false, why: `its version ${version} is unknown to this Gatehouse` };
    current = step(current);
  }
  const parsed = runStateSchema.safeParse(current);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, why: firstIssue(parsed.error) };
}

export function readStateFile(text: string): Read<StateFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'it is not JSON' };
  }
  const state = readState((value as { state?: unknown } | null)?.state);
  if (!state.ok) return state;
  const parsed = stateFileSchema.safeParse({ ...(value as object), state: state.value });
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, why: firstIssue(parsed.error) };
}

function firstIssue(error: { issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0];
  return issue === undefined ? 'it does not parse' : `${issue.path.map(String).join('.') || 'it'}: ${issue.message}`;
}
