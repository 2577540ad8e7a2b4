// The agent's work: a message starts a turn; a turn looks where the run stands and takes the scenario's steps for that stage, until
// it waits for a person. What it knows about the run it asks `lattice`, each time.
import { type Body } from './body.ts';
import type { Conversation } from './conversation.ts';
import { loadFix } from './fix.ts';
import { Hands } from './hands.ts';
import { readStanding, runProgram, type Standing } from './lattice.ts';
import { firstTime } from './marks.ts';
import type { Reporter } from './reporter.ts';
import type { Scenario, Step, StepOf } from './scenario.ts';
import { type StepResult, takeStep } from './steps.ts';
import type { Truth, TruthLog } from './truth.ts';

export interface WorkerParts {
  readonly body: Body;
  readonly reporter: Reporter;
  readonly conversation: Conversation;
  readonly truth: TruthLog;
  readonly scenario: (task: string) => Scenario;
  readonly tempoMs: number;
  readonly session: string;
  readonly sessionDir: string;
  readonly root: string;
  readonly artifacts: string;
  readonly crash: (how: StepOf<'crash'>['how']) => never;
}

type Via = Extract<Truth, { type: 'message' }>['via'];

class Interrupted extends Error {}

export class Worker {
  private readonly parts: WorkerParts;
  private readonly waiting: { text: string; via: Via }[] = [];
  private turn: AbortController | null = null;
  private paused: { release: () => void; until: Promise<void> } | null = null;

  constructor(parts: WorkerParts) {
    this.parts = parts;
  }

  get busy(): boolean {
    return this.turn !== null;
  }

  /** A message starts a turn, or waits for the next step of the one that runs. */
  receive(text: string, via: Via): void {
    this.parts.truth.message(text, via);
    this.waiting.push({ text, via });
    if (this.turn === null) void this.work();
  }

  interrupt(): void {
    this.turn?.abort(new Interrupted());
  }

  pause(): void {
    if (this.paused !== null) return;
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.paused = { release, until };
  }

  resume(): void {
    this.paused?.release();
    this.paused = null;
  }

  /** Opens a permission dialog, as part of the turn or outside of one. */
  async ask(tool: string, command: string, signal = new AbortController().signal): Promise<boolean> {
    const { body, reporter, truth } = this.parts;
    const text = `Allow tool: ${tool}\n${command}`;
    truth.note({ type: 'dialog', text, answer: 'open' });
    truth.note({ type: 'state', state: 'blocked' });
    reporter.send({ type: 'asked', text });
    const approved = await body.ask(tool, command, signal);
    truth.note({ type: 'dialog', text, answer: approved ? 'approved' : 'denied' });
    reporter.send({ type: 'answered' });
    return approved;
  }

  private async work(): Promise<void> {
    const { body, reporter, truth, conversation } = this.parts;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.turn = new AbortController();
      truth.note({ type: 'state', state: 'working' });
      this.hear(next.text);
      body.setBusy('Thinking');
      const { text, interrupted } = await this.answer(next.text, this.turn.signal);
      body.setBusy(null);
      conversation.add({ kind: 'assistant', text });
      truth.note({ type: 'answer', text });
      this.turn = null;
      reporter.send({ type: 'usage', usage: usageOf(conversation.length) });
      reporter.send({ type: 'turn-ended', lastMessage: text, interrupted });
      truth.note({ type: 'state', state: 'idle' });
    }
  }

  private hear(text: string): void {
    this.parts.reporter.send({ type: 'turn-started', prompt: text });
    this.parts.conversation.add({ kind: 'user', text });
    this.parts.body.showMessage(text);
  }

  private async answer(prompt: string, signal: AbortSignal): Promise<{ text: string; interrupted: boolean }> {
    const { body, truth } = this.parts;
    const hands = new Hands(this.parts, signal);
    try {
      const { text, footer } = await this.stages(hands, prompt);
      const full = `${text}\n${footer}`.trim();
      await body.say(`● ${full}`, signal);
      return { text: full, interrupted: false };
    } catch (error) {
      const interrupted = signal.aborted;
      if (interrupted) truth.note({ type: 'interrupted' });
      const text = interrupted ? 'Interrupted.' : `Something went wrong: ${(error as Error).message}`;
      body.print([`● ${text}`]);
      return { text, interrupted };
    }
  }

  private async stages(hands: Hands, prompt: string): Promise<{ text: string; footer: string }> {
    let standing = await this.look(hands);
    if (standing === null)
      return { text: 'lattice does not tell me where the run stands, so I do nothing.', footer: '' };
    const greeting = isFromHost(prompt) ? '' : `${this.reply(prompt)}\n`;
    if (greeting !== '' && this.stepsOf(standing) !== null) await hands.say(greeting.trim());
    for (;;) {
      const steps = this.stepsOf(standing);
      if (steps === null) return this.close(hands, `${greeting}${waitingWords(standing)}`);
      const result = await this.steps(hands, steps, standing);
      if (result.next === 'end') return this.close(hands, result.text, result.footer);
      const next = await this.look(hands);
      if (next === null || next.stage === standing.stage) return this.close(hands, `Stage ${standing.stage} goes on.`);
      standing = next;
    }
  }

  private async steps(hands: Hands, steps: readonly Step[], standing: Standing): Promise<StepResult> {
    const fix = loadFix(standing.task);
    if (fix === null) {
      return {
        next: 'end',
        text: `I am the scripted agent and know only the tasks of the sample repository; ${standing.task} is none of them.`,
      };
    }
    const context = {
      hands,
      fix,
      standing,
      session: this.parts.session,
      crash: this.parts.crash,
      ask: (tool: string, command: string) => this.ask(tool, command, hands.signal),
    };
    for (const step of steps) {
      await this.betweenSteps(hands);
      if (step.whenReviews !== undefined && step.whenReviews !== standing.reviews) continue;
      if (step.once !== undefined && !firstTime(this.parts.sessionDir, step.once)) continue;
      const result = await takeStep(step, context);
      if (result.next === 'end') return result;
    }
    return { next: 'go-on' };
  }

  private async betweenSteps(hands: Hands): Promise<void> {
    while (this.paused !== null) await this.paused.until;
    hands.signal.throwIfAborted();
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.hear(next.text);
      if (!isFromHost(next.text)) await hands.say(this.reply(next.text));
    }
  }

  private stepsOf(standing: Standing): readonly Step[] | null {
    const scenario = this.parts.scenario(standing.task);
    this.parts.truth.note({ type: 'stage', stage: standing.stage, scenario: scenario.name });
    return scenario.stages[standing.stage as keyof Scenario['stages']] ?? null;
  }

  private async look(hands: Hands): Promise<Standing | null> {
    await hands.lattice('status');
    return readStanding((await runProgram(['lattice', 'footer'], hands.root, hands.signal)).output);
  }

  private async close(hands: Hands, text: string, claimed?: string): Promise<{ text: string; footer: string }> {
    const footer = await runProgram(['lattice', 'footer'], hands.root, hands.signal);
    const standing = readStanding(footer.output);
    const next = standing === null ? '' : ` ${nextWords(standing)}`;
    return { text: `${text}${next}`, footer: claimed ?? (footer.code === 0 ? footer.output.trim() : '') };
  }

  private reply(text: string): string {
    const { messages } = this.parts.conversation;
    const first = messages[0] ?? '';
    if (/^what do you remember/i.test(text)) {
      return `I remember ${messages.length} messages; the first was: ${first.split('\n')[0]?.slice(0, 80)}`;
    }
    return `Noted, message ${messages.length} of this conversation: ${text.split('\n')[0]?.slice(0, 60)}`;
  }
}

/** What the supervisor says to wake a session ends with the one command that tells everything. */
function isFromHost(text: string): boolean {
  return /lattice status\b/.test(text);
}

function waitingWords(standing: Standing): string {
  if (standing.token !== null) return 'A person has to decide now, so I wait.';
  if (standing.stage === 'halted') return 'The run is halted; only a person can go on.';
  if (standing.stage === 'ready-for-testing') return 'The run has ended; nothing is left to do.';
  return `There is nothing for me to do in ${standing.stage}.`;
}

function nextWords(standing: Standing): string {
  if (standing.token !== null) return `The run is in ${standing.stage}: please look at it and decide.`;
  return `The run is in ${standing.stage}; nothing is needed from you.`;
}

function usageOf(entries: number) {
  const inputTokens = 1_800 + entries * 220;
  return {
    inputTokens,
    outputTokens: entries * 90,
    cachedTokens: Math.max(0, inputTokens - 2_000),
    contextShare: Math.min(1, inputTokens / 200_000),
  };
}
