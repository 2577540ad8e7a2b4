// How Gatehouse starts the scripted agent, and what the agent reports. Types and small facts only: both sides import it.
import { fileURLToPath } from 'node:url';

export const scriptedMain = fileURLToPath(
  new URL(`main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export interface ScriptedLaunch {
  readonly session: string;
  readonly resume: boolean;
  /** A scenario file, or the name of one that ships with Gatehouse; null casts by the task. */
  readonly scenario: string | null;
  readonly sessionDir?: string;
  readonly control?: string;
  readonly truth?: string;
  readonly prompt: string | null;
}

export function scriptedArgv(launch: ScriptedLaunch, program: string = scriptedMain): string[] {
  const option = (name: string, value: string | null | undefined): string[] =>
    value === null || value === undefined ? [] : [name, value];
  return [
    process.execPath,
    program,
    ...option('--session', launch.session),
    ...(launch.resume ? ['--resume'] : []),
    ...option('--scenario', launch.scenario),
    ...option('--session-dir', launch.sessionDir),
    ...option('--control', launch.control),
    ...option('--truth', launch.truth),
    ...(launch.prompt === null ? [] : ['--', launch.prompt]),
  ];
}

/** What is sent with method `hook`, params `{runtime: 'scripted', event}`. `session` and `gatehouse` stand in each. */
export type ScriptedReport =
  | { readonly type: 'session-started'; readonly source: 'start' | 'resume'; readonly transcript: string }
  | { readonly type: 'turn-started'; readonly prompt: string }
  | { readonly type: 'tool-called'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: 'tool-finished'; readonly name: string; readonly failed: boolean }
  | { readonly type: 'asked'; readonly text: string }
  | { readonly type: 'answered' }
  | { readonly type: 'turn-ended'; readonly lastMessage: string | null; readonly interrupted: boolean }
  | {
      readonly type: 'usage';
      readonly usage: {
        readonly inputTokens: number;
        readonly outputTokens: number;
        readonly cachedTokens: number;
        readonly contextShare: number;
      };
    }
  | { readonly type: 'session-ended'; readonly reason: string };

/**
 * Which scenario the demo plays for a task, so that a dozen runs show how differently a run can go. The permission dialog is
 * not among the first twelve: only a person can answer it, and those end by approvals alone.
 */
const casting: Readonly<Record<string, string>> = {
  'TB-101': 'straight',
  'TB-102': 'two-reviews',
  'TB-103': 'verification-fails-once',
  'TB-104': 'decisions',
  'TB-105': 'straight',
  'TB-106': 'crash-and-resume',
  'TB-107': 'straight',
  'TB-108': 'six-reviews',
  'TB-109': 'slow',
  'TB-110': 'feedback',
  'TB-111': 'misbehave-edit',
  'TB-112': 'refused',
  'TB-113': 'permission',
  'TB-114': 'misbehave-footer',
  'TB-115': 'misbehave-token',
  'TB-116': 'misbehave-state',
};

export function castScenario(taskId: string): string {
  return casting[taskId] ?? 'straight';
}
