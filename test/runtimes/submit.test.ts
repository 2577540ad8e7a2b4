import { describe, expect, it } from 'vitest';
import type { RuntimeEvent } from '../../src/runtimes/event.ts';
import {
  defaultRecipe,
  judgeSubmission,
  planSubmit,
  refuseTyping,
  type SubmitEvidence,
  holdsAll,
} from '../../src/runtimes/submit.ts';

const tokens = ['[START DEVELOPMENT]', '[SUBMIT FOR TESTING]'];
const idle = { tokens, working: false };

describe('planSubmit', () => {
  it('pastes in brackets and presses Enter as a write of its own', () => {
    const plan = planSubmit('please go on\nwith the second file\n', defaultRecipe, idle);
    expect(plan).toMatchObject({ ok: true, gapMs: 200 });
    if (!plan.ok) return;
    expect(plan.paste.toString()).toBe('\u001b[200~please go on\nwith the second file\u001b[201~');
    expect(plan.enter.toString()).toBe('\r');
  });

  it.each(['!ls', '  /exit', '$x', '# note', '@file'])('refuses %j: a program would take it for a command', (text) => {
    expect(planSubmit(text, defaultRecipe, idle)).toMatchObject({ ok: false });
  });

  it('C088: refuses a text that holds a token', () => {
    expect(planSubmit('I typed 1A [START DEVELOPMENT] for you', defaultRecipe, idle)).toMatchObject({ ok: false });
  });

  it('lets no escape sequence through: it could end the paste and press keys', () => {
    const plan = planSubmit('a\u001b[201~\rb\u0003c\td', defaultRecipe, idle);
    expect(plan.ok && plan.paste.toString()).toBe('\u001b[200~a\nbc\td\u001b[201~');
  });

  it('refuses what is empty after cleaning', () => {
    expect(planSubmit('\u001b[A \n', defaultRecipe, idle)).toMatchObject({ ok: false });
  });

  it('types one line when the recipe says so', () => {
    const plan = planSubmit('a\nb', { ...defaultRecipe, kind: 'type-enter' }, idle);
    expect(plan.ok && plan.paste.toString()).toBe('a b');
  });
});

describe('refuseTyping', () => {
  const dialog = { id: 'x', name: 'permission', text: 'Run rm?', choices: [] } as const;
  it('C055: never into a composer that holds a draft', () => {
    expect(refuseTyping(null, { state: 'draft', text: 'half a thou' })?.message).toContain('half a thou');
  });
  it('never while a dialog is open: Enter would answer it', () => {
    expect(refuseTyping(dialog, { state: 'empty' })?.message).toContain('Run rm?');
  });
  it('C024: never where a composer should be and is not: it may be a dialog that nobody knows', () => {
    expect(refuseTyping(null, { state: 'none' })?.message).toContain('no composer');
  });
  it('otherwise yes', () => {
    expect(refuseTyping(null, { state: 'empty' })).toBeNull();
    expect(refuseTyping(null, { state: 'unknown' })).toBeNull();
  });
});

describe('judgeSubmission', () => {
  const text = 'please look at\n  the second file';
  const nothing: SubmitEvidence = {
    events: [],
    transcript: [],
    draft: { state: 'empty' },
    draftSeen: true,
    working: false,
    sinceEnterMs: 500,
  };
  const judge = (more: Partial<SubmitEvidence>) =>
    judgeSubmission(text, { ...nothing, ...more }, defaultRecipe).verdict;
  const turn = (prompt: string): RuntimeEvent => ({
    type: 'turn-started',
    prompt,
    at: 1,
    sequence: null,
    session: null,
    marker: null,
  });

  it('C053: an event or the transcript confirms', () => {
    expect(judge({ events: [turn('please look at the   second file')] })).toBe('submitted');
    expect(judge({ transcript: [`<note>\n${text}\n</note>`] })).toBe('submitted');
  });
  it('C053: a report that carries only the beginning of a long message confirms it', () => {
    const long = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const evidence = { ...nothing, events: [turn(long.slice(0, 1_900))] };
    expect(judgeSubmission(long, evidence, defaultRecipe).verdict).toBe('submitted');
    expect(judgeSubmission(`other ${long}`, evidence, defaultRecipe).verdict).toBe('waiting');
  });
  it('C053: what a slow program shows late is told from what a person typed', () => {
    expect(holdsAll(text, { state: 'draft', text: 'please look at the second file' })).toBe(true);
    expect(holdsAll(text, { state: 'draft', text: 'please look at' })).toBe(false);
    expect(holdsAll(text, { state: 'draft', text: `${text} now` })).toBe(false);
    expect(holdsAll(text, { state: 'empty' })).toBe(false);
  });
  it('C053: another prompt confirms nothing', () => {
    expect(judge({ events: [turn('something else')] })).toBe('waiting');
  });
  it('C053: without confirmation it is not submitted, never silently', () => {
    expect(judge({ sinceEnterMs: 60_000 })).toBe('not-submitted');
  });
  it('a program that works has queued what left its composer', () => {
    expect(judge({ working: true })).toBe('submitted');
    expect(judge({ working: true, draftSeen: false })).toBe('waiting');
  });
  it('C056: presses Enter again only on exactly its own text', () => {
    expect(judge({ draft: { state: 'draft', text: 'please look at the second file' }, sinceEnterMs: 5_000 })).toBe(
      'press-enter-again',
    );
    expect(judge({ draft: { state: 'draft', text: 'my own, unfinished' }, sinceEnterMs: 5_000 })).toBe('waiting');
    expect(judge({ draft: { state: 'draft', text: `${text} and something of mine` }, sinceEnterMs: 5_000 })).toBe(
      'waiting',
    );
  });
});
