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
import { type EditParts, loadScenario, type Step } from '../../../src/runtimes/scripted/scenario.ts';
import { takeStep } from '../../../src/runtimes/scripted/steps.ts';
import { type ModelPlan, type ModelReply, type ModelRequest, shellUse } from './exchange.ts';
import { RemoteHands, type RunFolders } from './hands.ts';

export interface WorkflowModel {
  readonly plan: ModelPlan;
  /** Shell lines in the order in which they were asked for. */
  readonly calls: readonly string[];
  /** What went wrong in the script itself. */
  readonly failures: readonly string[];
  /** In the middle of which visit the model is held now; null when it works. */
  readonly heldIn: string | null;
  /** The session is gone, in the middle of whatever it did: the next one begins its stage again. */
  sessionGone(memory: 'kept' | 'lost'): void;
}

/** How the agent is kept busy, once, in the middle of a visit: for longer than any test waits. */
export type Hold = 'in a tool call' | 'while it speaks' | 'while it thinks';

export interface WorkflowOptions {
  readonly scenario?: string;
  /** By visit: a stage, or `review-2` for its second round. */
  readonly holds?: Readonly<Record<string, Hold>>;
}

/** A call that nothing but the end of its session ends; Claude Code makes no long `sleep`. */
export const holdingCall = 'tail -f /dev/null';
const holdMs = 900_000;

type Want =
  | { readonly kind: 'call'; readonly line: string; readonly resolve: (output: string) => void }
  | { readonly kind: 'hold'; readonly how: Hold };

export function workflowModel(folders: RunFolders, options: WorkflowOptions = {}): WorkflowModel {
  const { scenario = 'straight' } = options;
  const calls: string[] = [];
  const failures: string[] = [];
  const stages = loadScenario(scenario, () => scenario).stages;
  const holds = new Map(Object.entries(options.holds ?? {}));
  let heldIn: string | null = null;
  let wanted: Want | null = null;
  let turn: Promise<string> | null = null;
  let wake: (() => void) | null = null;

  const want = (next: Want) => {
    wanted = next;
    wake?.();
  };
  const shell = (line: string) =>
    new Promise<string>((resolve) => {
      calls.push(line);
      want({ kind: 'call', line, resolve });
    });
  const newHands = () => new RemoteHands(shell, folders, newConversation());
  let hands = newHands();

  /** Never comes back: only the end of the session frees the model. */
  const middleOf = (visit: string): Promise<void> => {
    const how = holds.get(visit);
    if (how === undefined) return Promise.resolve();
    holds.delete(visit);
    heldIn = visit;
    return new Promise(() => want({ kind: 'hold', how }));
  };

  async function plan(request: ModelRequest): Promise<ModelReply> {
    const result = request.toolResults.at(-1);
    if (wanted?.kind === 'call' && result !== undefined) {
      const { resolve } = wanted;
      wanted = null;
      resolve(result);
    }
    // Without a result a call was lost with its session; it is made again.
    turn ??= work(hands, stages, middleOf).catch((error: unknown) => {
      failures.push(String(error instanceof Error ? error.stack : error));
      return `Something went wrong: ${String(error)}`;
    });
    const text = await Promise.race([turn, somethingWanted()]);
    if (text === null) return reply(request, wanted as Want | null);
    turn = null;
    return { kind: 'say', text };
  }

  /** Resolves when the worker wants a command run, or is held. */
  function somethingWanted(): Promise<null> {
    if (wanted !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      wake = () => {
        wake = null;
        resolve(null);
      };
    });
  }

  function reply(request: ModelRequest, next: Want | null): ModelReply | Promise<ModelReply> {
    if (next?.kind === 'hold' && next.how === 'while it thinks') return new Promise(() => {});
    if (next?.kind === 'hold' && next.how === 'while it speaks')
      return { kind: 'say', text: 'I have a lot to say about this. '.repeat(200), overMs: holdMs };
    const use = next === null ? null : shellUse(request, next.kind === 'call' ? next.line : holdingCall);
    if (use !== null) return { kind: 'say', text: 'I go on. ', use };
    failures.push(`no shell among ${request.tools.map((tool) => tool.name).join(' ')}`);
    return { kind: 'say', text: 'I have no shell.' };
  }

  return {
    plan,
    calls,
    failures,
    get heldIn() {
      return heldIn;
    },
    sessionGone: (memory) => {
      heldIn = null;
      wanted = null;
      turn = null;
      if (memory === 'lost') hands = newHands();
    },
  };
}

function newConversation(): Conversation {
  return new Conversation(mkdtempSync(join(tmpdir(), 'gh-model-')), 'model', false);
}

type Stages = ReturnType<typeof loadScenario>['stages'];
type Middle = (visit: string) => Promise<void>;

/** One turn: the steps of the stage, and of the next ones, until it is somebody else's. @returns the last words. */
async function work(hands: Hands, stages: Stages, middleOf: Middle): Promise<string> {
  for (let standing = await look(hands); ; ) {
    const fix = standing === null ? null : loadFix(standing.task);
    const steps = standing === null ? undefined : stages[standing.stage as keyof Stages];
    if (standing === null || fix === null || steps === undefined)
      return lastWords(hands, 'There is nothing to do here.');
    for (const [index, step] of steps.entries()) {
      if (index === Math.floor(steps.length / 2)) await middleOf(visitOf(standing));
      const ended = await oneStep(step, hands, fix, standing);
      if (ended !== null) return lastWords(hands, ended);
    }
    const next = await look(hands);
    if (next === null || next.stage === standing.stage) return lastWords(hands, `Stage ${standing.stage} goes on.`);
    standing = next;
  }
}

function visitOf({ stage, reviews }: Standing): string {
  return stage === 'review' && reviews > 0 ? `review-${reviews + 1}` : stage;
}

async function oneStep(step: Step, hands: Hands, fix: Fix, standing: Standing): Promise<string | null> {
  if (step.whenReviews !== undefined && step.whenReviews !== standing.reviews) return null;
  if (step.do === 'edit') {
    await edit(hands, fix, step.parts);
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

/** The fix, and its tests unless only the code is wanted, each file written as a whole by the agent. */
async function edit(hands: Hands, fix: Fix, parts: EditParts): Promise<void> {
  const { edits, tests } = await readTarget(hands, fix);
  const wanted = parts === 'code' ? [] : tests;
  const texts = new Map(wanted.map((test) => [test.file, `${test.content.join('\n')}\n`]));
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
