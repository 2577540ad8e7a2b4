// Submitting a message: what is written, in which order, and what counts as taken. Pure; the host writes and waits.
import { inertText } from '../core/inert.ts';
import type { RuntimeEvent } from './event.ts';
import type { Dialog, Draft } from './screen-view.ts';

export interface SubmitRecipe {
  readonly kind: 'paste-enter' | 'type-enter';
  /** Between text and Enter. Programs that guess pastes by their speed take an Enter that comes too soon for a newline. */
  readonly gapMs: number;
  /** Submits while the program works, so that the text is queued and nothing running is broken off. */
  readonly enterWhileWorking: string;
  /** How long a confirmation may take before the message counts as not submitted. */
  readonly confirmMs: number;
}

export const defaultRecipe: SubmitRecipe = {
  kind: 'paste-enter',
  gapMs: 200,
  enterWhileWorking: '\r',
  confirmMs: 15_000,
};

export type SubmitPlan =
  | { readonly ok: true; readonly text: string; readonly paste: Buffer; readonly enter: Buffer; readonly gapMs: number }
  | Refusal;
export interface Refusal {
  readonly ok: false;
  readonly message: string;
  readonly hint: string;
}

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** In one agent program or another: shell command, slash menu, python, prompt action, file mention. */
const triggers = /^\s*[!/$#@]/;

/** What a terminal sends for keys and pastes; without its ESC the rest would only be in the way of a reader. */
const keys = /\u001b\[[\d;]*~/g;

/** What to write for `text`, or why it is not typed at all. */
export function planSubmit(
  text: string,
  recipe: SubmitRecipe,
  facts: { readonly tokens: readonly string[]; readonly working: boolean },
): SubmitPlan {
  const clean = sanitize(text);
  if (clean === '') return refusal('the message is empty', 'write some text');
  if (triggers.test(clean))
    return refusal(
      `a message must not start with "${clean.trimStart()[0]}": agent programs take that for a command`,
      'begin with a word',
    );
  const token = facts.tokens.find((each) => clean.includes(each));
  if (token !== undefined)
    return refusal(
      `the message holds the token ${token}: an approval is never typed into a session`,
      'approve with: gatehouse approve RUN LINE',
    );
  const body = recipe.kind === 'paste-enter' ? `${pasteStart}${clean}${pasteEnd}` : clean.replaceAll('\n', ' ');
  return {
    ok: true,
    text: clean,
    paste: Buffer.from(body),
    enter: Buffer.from(facts.working ? recipe.enterWhileWorking : '\r'),
    gapMs: recipe.gapMs,
  };
}

/** No escape sequence, no control: a text that could end the paste early could also press keys. */
export function sanitize(text: string): string {
  return text
    .replaceAll(keys, '')
    .split('\t')
    .map((part) => inertText(part).replaceAll('\ufffd', ''))
    .join('\t')
    .trimEnd();
}

/**
 * May anything be typed now? Null when it may. Enter in a dialog would answer it, known to us or not; a draft belongs to
 * a person.
 */
export function refuseTyping(dialog: Dialog | null, draft: Draft): Refusal | null {
  if (dialog !== null)
    return refusal(`a dialog is open (${dialog.name}): ${firstLine(dialog.text)}`, 'answer the dialog first');
  if (draft.state === 'none')
    return refusal(
      'the program shows no composer: something else there would take the keys',
      'look at it: gatehouse attach RUN',
    );
  if (draft.state === 'draft')
    return refusal(
      `the composer holds a text that somebody typed: "${firstLine(draft.text)}"`,
      'submit or clear it in the terminal (gatehouse attach RUN)',
    );
  return null;
}

/** Our text and more than our text: somebody typed before it or behind it. */
export function fusedWithDraft(text: string, draft: Draft): boolean {
  if (draft.state !== 'draft') return false;
  const [all, ours] = [squeeze(draft.text), squeeze(text)];
  return all !== ours && all.includes(ours);
}

/** All of our text and nothing else: nobody else has typed that. */
export function holdsAll(text: string, draft: Draft): boolean {
  return draft.state === 'draft' && squeeze(draft.text) === squeeze(text);
}

/** Our text, or the part of it that the composer shows. */
export function holdsOnly(text: string, draft: Draft): boolean {
  return draft.state === 'draft' && matches(text, draft.text);
}

export interface SubmitEvidence {
  /** Events of this session that were heard since the paste. */
  readonly events: readonly RuntimeEvent[];
  /** User messages that the transcript gained since the paste. */
  readonly transcript: readonly string[];
  readonly draft: Draft;
  /** Was our text seen in the composer between paste and Enter. */
  readonly draftSeen: boolean;
  /** Was the program working when Enter was pressed. */
  readonly working: boolean;
  readonly sinceEnterMs: number;
}

export type SubmitVerdict =
  | { readonly verdict: 'submitted'; readonly how: string }
  | { readonly verdict: 'waiting' }
  /** The composer still holds exactly our text: Enter was lost, and pressing it once more is safe. */
  | { readonly verdict: 'press-enter-again' }
  | { readonly verdict: 'not-submitted'; readonly why: string };

/** An Enter that had no effect for this long is taken for lost. */
const enterLostMs = 3_000;

export function judgeSubmission(text: string, evidence: SubmitEvidence, recipe: SubmitRecipe): SubmitVerdict {
  const started = evidence.events.find((event) => event.type === 'turn-started' && matches(event.prompt, text));
  if (started) return { verdict: 'submitted', how: 'the runtime reported the message' };
  if (evidence.transcript.some((message) => matches(message, text)))
    return { verdict: 'submitted', how: 'the message is in the transcript' };
  // A program that works only queues: its composer took the text, and the turn's report comes later.
  if (evidence.working && evidence.draftSeen && evidence.draft.state === 'empty')
    return { verdict: 'submitted', how: 'queued by the runtime until its present step ends' };
  if (evidence.sinceEnterMs < recipe.confirmMs) {
    const ours = evidence.draftSeen && holdsOnly(text, evidence.draft);
    return evidence.sinceEnterMs > enterLostMs && ours ? { verdict: 'press-enter-again' } : { verdict: 'waiting' };
  }
  return {
    verdict: 'not-submitted',
    why:
      evidence.draft.state === 'draft'
        ? 'the text is in the composer, but the runtime did not take it'
        : 'nothing from the runtime confirms the message',
  };
}

/** A report may carry only the beginning of a long message. */
const tellingChars = 1_000;

/** Programs wrap, indent and decorate what was pasted; what counts is the text without white space. */
function matches(seen: string | null, text: string): boolean {
  if (seen === null) return false;
  const wanted = squeeze(text).slice(0, tellingChars);
  return wanted !== '' && squeeze(seen).includes(wanted);
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, '');
const firstLine = (text: string) => (text.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, 120);
const refusal = (message: string, hint: string): Refusal => ({ ok: false, message, hint });
