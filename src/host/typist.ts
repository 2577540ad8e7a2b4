// Types one message into a session and finds out whether it was taken. Never presses Enter on a text that is not ours.
import { setTimeout as delay } from 'node:timers/promises';
import { GatehouseError } from '../core/error.ts';
import type { RuntimeAdapter } from '../runtimes/adapter.ts';
import type { ScreenView } from '../runtimes/screen-view.ts';
import { judgeSubmission, planSubmit, refuseTyping } from '../runtimes/submit.ts';
import type { Reports } from './reports.ts';

const lookMs = 100;

export interface Keyboard {
  readonly adapter: RuntimeAdapter;
  readonly reports: Reports;
  readonly tokens: readonly string[];
  view(): ScreenView;
  input(bytes: Buffer): void;
  /** The session that is typed to has ended meanwhile. */
  gone(): boolean;
}

/** @returns how the message was confirmed. @throws `message.refused` before anything is typed, `message.not-submitted` after. */
export async function typeMessage(keyboard: Keyboard, text: string): Promise<string> {
  const { adapter, reports } = keyboard;
  const view = keyboard.view();
  const working = reports.report?.kind === 'working';
  const plan = planSubmit(text, adapter.submit, { tokens: keyboard.tokens, working });
  const refusal = plan.ok ? refuseTyping(adapter.dialog(view), adapter.composer(view)) : plan;
  if (refusal !== null) throw new GatehouseError('message.refused', refusal.message, refusal.hint);
  if (!plan.ok) throw new GatehouseError('internal', 'a plan without text', 'report it');

  const begun = Date.now();
  keyboard.input(plan.paste);
  await delay(plan.gapMs);
  const draftSeen = adapter.composer(keyboard.view()).state === 'draft';
  // A dialog that opened in between would take our Enter for an answer.
  if (adapter.dialog(keyboard.view()) !== null) {
    throw new GatehouseError(
      'message.not-submitted',
      'a dialog opened while the text was typed; Enter was not pressed',
      'answer the dialog, then look at the composer',
    );
  }
  keyboard.input(plan.enter);
  let entered = Date.now();
  let pressedAgain = false;
  while (!keyboard.gone()) {
    const verdict = judgeSubmission(
      plan.text,
      {
        events: reports.since(begun),
        transcript: [],
        draft: adapter.composer(keyboard.view()),
        draftSeen,
        working,
        sinceEnterMs: Date.now() - entered,
      },
      adapter.submit,
    );
    if (verdict.verdict === 'submitted') return verdict.how;
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
