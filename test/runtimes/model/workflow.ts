// A model that works a task of the sample repository through the whole workflow, one tool call at a time. It knows
// where it stands only from what `lattice` prints; a session that is started anew in the middle goes on from there.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTarget } from '../../../src/runtimes/scripted/change.ts';
import { Conversation } from '../../../src/runtimes/scripted/conversation.ts';
import { type Fix, loadFix } from '../../../src/runtimes/scripted/fix.ts';
import type { Hands } from '../../../src/runtimes/scripted/hands.ts';
import { readStanding, type Standing } from '../../../src/runtimes/scripted/lattice.ts';
import { loadScenario, type Step } from '../../../src/runtimes/scripted/scenario.ts';
import { takeStep } from '../../../src/runtimes/scripted/steps.ts';
import { type ModelPlan, type ModelReply, type ModelRequest, shellUse } from './exchange.ts';
import { RemoteHands, type RunFolders } from './hands.ts';

export interface WorkflowModel {
  readonly plan: ModelPlan;
  /** Shell lines in the order in which they were asked for. */
  readonly calls: readonly string[];
  /** What went wrong in the script itself. */
  readonly failures: readonly string[];
}

interface Call {
  readonly line: string;
  readonly resolve: (output: string) => void;
}

export function workflowModel(folders: RunFolders, scenario = 'straight'): WorkflowModel {
  const calls: string[] = [];
  const failures: string[] = [];
  const conversation = new Conversation(mkdtempSync(join(tmpdir(), 'gh-model-')), 'model', false);
  const stages = loadScenario(scenario, () => scenario).stages;
  let waiting: Call | null = null;
  let turn: Promise<string> | null = null;
  let wake: (() => void) | null = null;

  const shell = (line: string) =>
    new Promise<string>((resolve) => {
      calls.push(line);
      waiting = { line, resolve };
      wake?.();
    });
  const hands = new RemoteHands(shell, folders, conversation);

  async function plan(request: ModelRequest): Promise<ModelReply> {
    const result = request.toolResults.at(-1);
    if (waiting !== null && result !== undefined) {
      const { resolve } = waiting;
      waiting = null;
      resolve(result);
    }
    // Without a result a call was lost with its session; it is made again.
    turn ??= work(hands, stages).catch((error: unknown) => {
      failures.push(String(error instanceof Error ? error.stack : error));
      return `Something went wrong: ${String(error)}`;
    });
    const text = await Promise.race([turn, called()]);
    if (text === null) return callReply(request, waiting as Call | null);
    turn = null;
    return { kind: 'say', text };
  }

  /** Resolves when the worker wants a command run. */
  function called(): Promise<null> {
    if (waiting !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      wake = () => {
        wake = null;
        resolve(null);
      };
    });
  }

  function callReply(request: ModelRequest, call: Call | null): ModelReply {
    const use = call === null ? null : shellUse(request, call.line);
    if (use !== null) return { kind: 'say', text: 'I go on. ', use };
    failures.push(`no shell among ${request.tools.map((tool) => tool.name).join(' ')}`);
    return { kind: 'say', text: 'I have no shell.' };
  }

  return { plan, calls, failures };
}

type Stages = ReturnType<typeof loadScenario>['stages'];

/** One turn: the steps of the stage, and of the next ones, until it is somebody else's. @returns the last words. */
async function work(hands: Hands, stages: Stages): Promise<string> {
  for (let standing = await look(hands); ; ) {
    const fix = standing === null ? null : loadFix(standing.task);
    const steps = standing === null ? undefined : stages[standing.stage as keyof Stages];
    if (standing === null || fix === null || steps === undefined)
      return lastWords(hands, 'There is nothing to do here.');
    for (const step of steps) {
      const ended = await oneStep(step, hands, fix, standing);
      if (ended !== null) return lastWords(hands, ended);
    }
    const next = await look(hands);
    if (next === null || next.stage === standing.stage) return lastWords(hands, `Stage ${standing.stage} goes on.`);
    standing = next;
  }
}

async function oneStep(step: Step, hands: Hands, fix: Fix, standing: Standing): Promise<string | null> {
  if (step.whenReviews !== undefined && step.whenReviews !== standing.reviews) return null;
  if (step.do === 'edit') {
    await edit(hands, fix);
    return null;
  }
  const result = await takeStep(step, {
    hands,
    fix,
    standing,
    session: 'model',
    crash: () => {
      throw new Error('a model does not crash');
    },
    ask: () => Promise.resolve(true),
  });
  return result.next === 'end' ? result.text : null;
}

/** The fix and its tests, each file written as a whole by the agent. */
async function edit(hands: Hands, fix: Fix): Promise<void> {
  const { edits, tests } = await readTarget(hands, fix);
  const texts = new Map(tests.map((test) => [test.file, `${test.content.join('\n')}\n`]));
  for (const { file, find, replace } of edits) {
    const path = join(hands.root, file);
    const before = texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
    if (!before.includes(replace.join('\n')))
      texts.set(
        file,
        before.replace(find.join('\n'), () => replace.join('\n')),
      );
  }
  for (const [file, text] of texts) {
    const written = await hands.write(file, text);
    if (written.code !== 0) throw new Error(`${file} was not written: ${written.output}`);
  }
}

async function look(hands: Hands): Promise<Standing | null> {
  return readStanding((await hands.lattice('footer')).output);
}

async function lastWords(hands: Hands, text: string): Promise<string> {
  const footer = await hands.lattice('footer');
  return `${text}\n${footer.output.trim()}`;
}
