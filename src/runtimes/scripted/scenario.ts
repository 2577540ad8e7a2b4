// Scenarios are data: for each stage the steps that the agent takes in it. The files are in scenarios/; a scenario may
// extend another and then replaces whole stages of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stage } from '../../core/stage.ts';

export type EditParts = 'code' | 'tests' | 'all' | 'weak';

/** One step. Texts may hold {task}, {summary}, {stage}, {round}, {session} and {worktree}. */
export type Step = {
  /** Taken once in the life of a run, whichever session comes by. The word names it. */
  readonly once?: string;
  /** Taken only with this many reviews judged so far. */
  readonly whenReviews?: number;
} & (
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'read-skills' }
  /** Runs the commands that show the bug, as evidence. */
  | { readonly do: 'reproduce' }
  /** Records the lines at fault, as evidence. */
  | { readonly do: 'inspect' }
  | {
      readonly do: 'write';
      readonly artifact: 'diagnosis.md' | 'idea.md' | 'findings.md' | 'plan.md' | 'patch-notes.md';
    }
  | { readonly do: 'check' }
  /** `end`: the turn ends here, because another session or other rights come next. */
  | { readonly do: 'advance'; readonly end?: boolean }
  | { readonly do: 'edit'; readonly parts: EditParts }
  | { readonly do: 'run-tests' }
  | { readonly do: 'sync' }
  /** Judges the change and writes the report. `overlook`: finds nothing, whatever is there. */
  | { readonly do: 'review'; readonly overlook?: boolean }
  /** Runs tests and behaviours as evidence and writes verification.md; the result is what was seen. */
  | { readonly do: 'verify' }
  /** A command that the agent runs as a tool call. `ask` opens a permission dialog first. */
  | { readonly do: 'shell'; readonly command: string; readonly ask?: boolean }
  | { readonly do: 'write-file'; readonly path: string; readonly text: readonly string[]; readonly append?: boolean }
  /** Busy for this many steps, with a line of output for each. */
  | { readonly do: 'labour'; readonly steps: number; readonly text: string }
  /** Text as it is, without a frame: for output that looks like something else. */
  | { readonly do: 'print'; readonly lines: readonly string[] }
  /** A status footer of its own making at the end of the answer. */
  | { readonly do: 'claim'; readonly stage: string; readonly token: string; readonly reviews: string }
  | { readonly do: 'crash'; readonly how: 'SIGKILL' | 'SIGSEGV' | number }
  | { readonly do: 'end-turn'; readonly text: string }
);

export type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>;

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** Milliseconds per step; 0 does not wait at all. */
  readonly tempoMs: number;
  /** Where a test steers the agent, and where the agent writes down what it did. */
  readonly control: string | null;
  readonly truth: string | null;
  readonly stages: Readonly<Partial<Record<Stage, readonly Step[]>>>;
}

interface ScenarioFile extends Partial<Omit<Scenario, 'stages'>> {
  readonly extends?: string;
  readonly stages?: Scenario['stages'];
}

const scenarioDir = fileURLToPath(new URL('scenarios', import.meta.url));
const defaultTempoMs = 700;

export function scenarioNames(): string[] {
  return readdirSync(scenarioDir)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}

/** A scenario by name or path. A file that extends nothing and has no stages is cast by the task. */
export function loadScenario(source: string | null, cast: () => string): Scenario {
  const file: ScenarioFile = source === null ? {} : readScenario(source);
  const parentName = file.extends ?? (file.stages === undefined ? cast() : null);
  const parent = parentName === null ? null : loadScenario(parentName, () => 'straight');
  return {
    name: file.name ?? parent?.name ?? 'unnamed',
    about: file.about ?? parent?.about ?? '',
    tempoMs: file.tempoMs ?? parent?.tempoMs ?? defaultTempoMs,
    control: file.control ?? parent?.control ?? null,
    truth: file.truth ?? parent?.truth ?? null,
    stages: { ...parent?.stages, ...file.stages },
  };
}

function readScenario(source: string): ScenarioFile {
  const shipped = join(scenarioDir, `${source}.json`);
  const path = /^[\w-]+$/.test(source) && existsSync(shipped) ? shipped : source;
  return JSON.parse(readFileSync(path, 'utf8')) as ScenarioFile;
}
