// Types into one session: messages, one after another, each confirmed; and answers of dialogs. Never presses Enter on a
// text that is not ours.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { GatehouseError } from '../core/error.ts';
import type { RuntimeAdapter } from '../runtimes/adapter.ts';
import type { Dialog, Draft, ScreenView } from '../runtimes/screen-view.ts';
import { fusedWithDraft, holdsAll, holdsOnly, judgeSubmission, planSubmit, refuseTyping } from '../runtimes/submit.ts';
import { SerialQueue } from '../platform/serial-queue.ts';
import type { Reports } from './reports.ts';

const lookMs = 100;
/** A report of a message may overtake the output that takes it out of the composer, by so much at the most. */
const overtakenMs = 2_000;
/** A program that draws anew shows no composer for a moment. */
const redrawnMs = 2_000;
/** Keys that come in one read are taken for one key by some programs. */
const keyGapMs = 150;

export interface Keyboard {
  readonly adapter: RuntimeAdapter;
  readonly reports: Reports;
  readonly tokens: readonly string[];
  view(): ScreenView;
  input(bytes: Buffer): void;
  /** The session that is typed to has ended meanwhile. */
  gone(): boolean;
}

export class Typist {
  private readonly keyboard: Keyboard;
  /** Two messages at once would land in the composer as one. */
  private readonly messages = new SerialQueue();
  /** Not in the same queue: a message waits for its confirmation while the dialog that it called up is open. */
  private readonly answers = new SerialQueue();
  /** The last message that was taken, and what the composer made of it. */
  private taken: { text: string; shown: Draft; at: number } = { text: '', shown: { state: 'unknown' }, at: 0 };

  constructor(keyboard: Keyboard) {
    this.keyboard = keyboard;
  }

  /** @returns how the message was confirmed. */
  type(text: string): Promise<string> {
    return this.messages.run(async () => {
      await this.untilCleared();
      const { how, shown } = await typeMessage(this.keyboard, text);
      this.taken = { text, shown, at: Date.now() };
      return how;
    });
  }

  /** What was taken a moment ago and is still shown is nobody's draft. */
  private async untilCleared(): Promise<void> {
    const { text, shown, at } = this.taken;
    const isOurs = (draft: Draft) => isDeepStrictEqual(draft, shown) || holdsOnly(text, draft);
    while (Date.now() - at < overtakenMs) {
      const draft = this.keyboard.adapter.composer(this.keyboard.view());
      if (draft.state !== 'draft' || !isOurs(draft)) return;
      await delay(lookMs);
    }
  }

  /** Chooses in the dialog that was shown, and in no other; one that goes meanwhile gets no further key. */
  answer(id: string, key: string): Promise<void> {
    return this.answers.run(async () => {
      const asked = this.openDialog();
      if (asked.id !== id) throw notOpen();
      const choice = asked.choices.find((each) => each.key === key);
      if (choice === undefined)
        throw new GatehouseError(
          'usage.invalid',
          `the dialog has no choice ${key}`,
          `it has ${asked.choices.map((each) => `${each.key} ${each.label}`).join(', ')}`,
        );
      for (const [index, bytes] of choice.writes.entries()) {
        if (index > 0) await delay(keyGapMs);
        // Its text may show what was typed so far.
        if (!hasSameChoices(this.openDialog(), asked)) throw notOpen();
        this.keyboard.input(Buffer.from(bytes));
      }
    });
  }

  private openDialog(): Dialog {
    const dialog = this.keyboard.adapter.dialog(this.keyboard.view());
    if (dialog === null) throw notOpen();
    return dialog;
  }
}

function notOpen(): GatehouseError {
  return new GatehouseError(
    'message.refused',
    'this dialog is not open any more',
    'look at the session before answering',
  );
}

function hasSameChoices(one: Dialog, other: Dialog): boolean {
  const labels = (dialog: Dialog) => dialog.choices.map((each) => each.label);
  return one.name === other.name && isDeepStrictEqual(labels(one), labels(other));
}

/** @returns how the message was confirmed. @throws `message.refused` before anything is typed, `message.not-submitted` after. */
async function typeMessage(keyboard: Keyboard, text: string): Promise<{ how: string; shown: Draft }> {
  const { adapter, reports } = keyboard;
  const view = await viewWithComposer(keyboard);
  // An interrupt is reported by few runtimes; their title shows that they are at rest.
  const working = reports.report?.kind === 'working' && adapter.titleHint(view.title) !== 'idle';
  const plan = planSubmit(text, adapter.submit, { tokens: keyboard.tokens, working });
  const refusal = plan.ok ? refuseTyping(adapter.dialog(view), adapter.composer(view)) : plan;
  if (refusal !== null) throw new GatehouseError('message.refused', refusal.message, refusal.hint);
  if (!plan.ok) throw new GatehouseError('internal', 'a plan without text', 'report it');

  const begun = Date.now();
  keyboard.input(plan.paste);
  await delay(plan.gapMs);
  const typed = adapter.composer(keyboard.view());
  let draftSeen = typed.state === 'draft';
  // A dialog that opened in between would take our Enter for an answer.
  if (adapter.dialog(keyboard.view()) !== null || typed.state === 'none') {
    throw new GatehouseError(
      'message.not-submitted',
      'a dialog opened while the text was typed; Enter was not pressed',
      'answer the dialog, then look at the composer',
    );
  }
  if (fusedWithDraft(plan.text, typed)) {
    throw new GatehouseError(
      'message.not-submitted',
      'somebody typed at the same moment; Enter was not pressed on what stands in the composer now',
      'look at the composer: gatehouse attach RUN',
    );
  }
  keyboard.input(plan.enter);
  let entered = Date.now();
  let pressedAgain = false;
  while (!keyboard.gone()) {
    const draft = adapter.composer(keyboard.view());
    // A slow program shows it only now; its Enter is lost all the more easily.
    draftSeen ||= holdsAll(plan.text, draft);
    const verdict = judgeSubmission(
      plan.text,
      {
        events: reports.since(begun),
        transcript: [],
        draft,
        draftSeen,
        working,
        sinceEnterMs: Date.now() - entered,
      },
      adapter.submit,
    );
    if (verdict.verdict === 'submitted') return { how: verdict.how, shown: typed };
    if (verdict.verdict === 'not-submitted' || (verdict.verdict === 'press-enter-again' && pressedAgain)) {
      const why = verdict.verdict === 'not-submitted' ? verdict.why : 'Enter had no effect twice';
      throw new GatehouseError(
        'message.not-submitted',
        `not submitted: ${why}`,
        'look at the session: gatehouse attach RUN',
      );
    }
    if (verdict.verdict === 'press-enter-again') {
      pressedAgain = true;
      keyboard.input(plan.enter);
      entered = Date.now();
    }
    await delay(lookMs);
  }
  throw new GatehouseError(
    'message.not-submitted',
    'the session ended before it took the message',
    'resume it: gatehouse resume RUN',
  );
}

async function viewWithComposer(keyboard: Keyboard): Promise<ScreenView> {
  const deadline = Date.now() + redrawnMs;
  for (;;) {
    const seen = keyboard.view();
    const { adapter } = keyboard;
    const settled = adapter.composer(seen).state !== 'none' || adapter.dialog(seen) !== null;
    if (settled || keyboard.gone() || Date.now() > deadline) return seen;
    await delay(lookMs);
  }
}
