// What holds for every agent program, tried on the real one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuntimeEventType } from '../../../src/runtimes/event.ts';
import { instructionsMark, type Lab, openLab, skillMark } from '../lab/lab.ts';
import type { RealRuntime } from '../lab/operator-home.ts';
import { directives } from '../model/directives.ts';
import { isAlive } from '../../support/processes.ts';
import { killedWorkflow, undisturbedWorkflow } from './whole-workflow.ts';

export interface RuntimeFacts {
  readonly runtime: RealRuntime;
  /** The task of the sample that its model works. */
  readonly task: string;
  /** Codex has no place for skills outside of its own home; there they are read through `lattice` alone. */
  readonly knowsSkills: boolean;
  /** In a mode that asks; a command that then opens a dialog. */
  readonly asking: { readonly permissionMode: string; readonly prompt: string };
  /** For a run without anybody to ask. */
  readonly unattendedMode?: string;
  /** Is it also taken through a whole workflow that nothing disturbs. */
  readonly undisturbed?: true;
}

export function realRuntime(facts: RuntimeFacts): void {
  const { runtime } = facts;
  describe(`${runtime}, one session`, () => {
    let lab: Lab;
    beforeAll(async () => {
      lab = await openLab(runtime);
    });
    afterAll(() => lab[Symbol.asyncDispose]());

    it('starts without a dialog, with instructions, skills and the first prompt', async () => {
      lab.start({ prompt: 'please do this. RUN: pwd && ls' });
      await lab.session.waitUntilReady();
      await lab.waitForEvent('turn-ended', 0);
      const types = lab.socket.events.map((event) => event.type);
      expect(
        inThisOrder(types, ['session-started', 'turn-started', 'tool-called', 'tool-finished', 'turn-ended']),
      ).toBe(true);
      expect(lab.report()?.kind).toBe('idle');
      const asked = JSON.stringify(lab.model.requests[0]?.body);
      expect(asked).toContain(instructionsMark);
      expect(asked.includes(skillMark)).toBe(facts.knowsSkills);
    });

    it('C053: a message is confirmed by the program itself', async () => {
      expect(await lab.submit('please answer a second message')).toMatchObject({ verdict: 'submitted' });
      await lab.waitForScreen('the answer', ({ terminal }) => terminal.text().join('\n').includes('HEARD:'));
    });

    it('C055: sees a draft that a person left, and that it is gone again', async () => {
      await rest(lab);
      lab.session.terminal.write('half a draft');
      await lab.waitForScreen('the draft', (session) => {
        const seen = lab.adapter.composer(session.screen());
        return seen.state === 'draft' && seen.text === 'half a draft';
      });
      lab.session.terminal.write('\u0015');
      await lab.waitForScreen(
        'an empty composer',
        (session) => lab.adapter.composer(session.screen()).state === 'empty',
      );
    });

    it('C050: a paste of 300 lines arrives in one piece', async () => {
      const lines = Array.from({ length: 300 }, (_, index) => `line ${index} of a long message`);
      await lab.turn(lines.join('\n'));
      const heard = lab.model.requests.at(-1)?.userText ?? '';
      expect(heard).toContain('line 0 of a long message\nline 1 of a long message');
      expect(heard).toContain('line 299 of a long message');
    });

    it('a message while it works waits, and breaks nothing off', async () => {
      const from = lab.socket.events.length;
      await lab.submit('please tell SLOW: 8 queue');
      await words(lab, 'queue3');
      await lab.submit('please take this too', true);
      await waitForRequest(lab, 'please take this too');
      await lab.waitForEvent('turn-ended', from);
      await rest(lab);
      const said = (await lab.timeline()).filter((entry) => entry.kind === 'assistant').map((entry) => entry.text);
      expect(said.some((text) => text.includes('queue-end'))).toBe(true);
    });

    it('Esc breaks a turn off, and the next message is heard', async () => {
      await lab.submit('please tell SLOW: 60 broken');
      await words(lab, 'broken3');
      for (const bytes of lab.adapter.interrupt) {
        lab.session.terminal.write(bytes);
        await delay(300);
      }
      const from = lab.socket.events.length;
      await lab.waitForScreen('rest', (session) => {
        const hint = lab.adapter.titleHint(session.screen().title);
        return hint === null ? lab.socket.events.slice(from - 3).some(ended) : hint === 'idle';
      });
      await lab.turn('please go on after the interrupt');
      expect(lab.model.requests.at(-1)?.userText).toContain('after the interrupt');
      expect((await lab.timeline()).some((entry) => entry.text.includes('broken-end'))).toBe(false);
    });

    it('C088: refuses an edit of product code by the program’s own hooks, and the model reads why', async () => {
      await lab.turn('please RUN: echo changed > src/a.js');
      expect(lab.model.requests.at(-1)?.toolResults.join('\n')).toContain('src/a.js is product code');
    });

    it.each(['FAIL: 429', 'FAIL: 529', 'CUT'])(
      'provider trouble (%s) leaves a session that answers',
      async (trouble) => {
        lab.model.setPlan(directives({ failures: 1 }));
        await lab.turn(`please ${trouble} now`);
        await lab.turn('please answer after the trouble');
        expect(lab.model.requests.at(-1)?.userText).toContain('after the trouble');
      },
    );

    it('its transcript tells what was said and done', async () => {
      const timeline = await lab.timeline();
      const has = (kind: string, text: string) =>
        timeline.some((entry) => entry.kind === kind && entry.text.includes(text));
      expect(has('user', 'a second message')).toBe(true);
      expect(has('tool', 'pwd && ls')).toBe(true);
      expect(has('tool-result', 'src')).toBe(true);
      expect(timeline.some((entry) => (entry.tokens?.input ?? 0) > 0 && entry.tokens?.output === 20)).toBe(true);
      expect(timeline.some((entry) => entry.kind === 'model')).toBe(true);
    });

    it('C039: killed in mid-turn, it is resumed with its own conversation', async () => {
      await lab.submit('please tell SLOW: 60 killed');
      await words(lab, 'killed3');
      const conversation = lab.conversation();
      await lab.session[Symbol.asyncDispose]();
      const from = lab.socket.events.length;
      lab.start({ kind: 'resumed', runtimeSession: conversation, prompt: 'please go on after the kill' });
      await lab.session.waitUntilReady();
      if (!lab.session.plan.promptIncluded) await submitOnceReady(lab, 'please go on after the kill');
      await lab.waitForEvent('turn-ended', from);
      const last = lab.model.requests.at(-1);
      expect(last?.userText).toContain('after the kill');
      expect(last?.spoken).toBeGreaterThan(3);
      expect(JSON.stringify(last?.body)).toContain(instructionsMark);
      expect(lab.conversation()).toBe(conversation);
    });

    it('leaves when it is told to, and leaves nothing behind', async () => {
      await rest(lab);
      const { pid } = lab.session.terminal;
      for (const bytes of lab.adapter.exit) {
        lab.session.terminal.write(bytes);
        await delay(400);
      }
      await lab.session.terminal.exit;
      expect(isAlive(pid)).toBe(false);
    });
  });

  describe(`${runtime}, a session that asks`, () => {
    it('C024: its dialog is named, and the answer is the chosen one', async () => {
      await using lab = await openLab(runtime);
      lab.start({ prompt: facts.asking.prompt, permissionMode: facts.asking.permissionMode });
      await lab.waitForEvent('asked', 0);
      await lab.waitForScreen('the dialog', (session) => lab.adapter.dialog(session.screen()) !== null);
      const dialog = lab.adapter.dialog(lab.session.screen());
      expect(dialog?.name).toBe('permission');
      expect(dialog?.text).toContain('touch asked.txt');
      expect(lab.adapter.composer(lab.session.screen()).state).toBe('none');
      // No person is as fast as this; a key in the moment of drawing is dropped.
      await delay(1_000);
      for (const bytes of dialog?.choices[0]?.writes ?? []) {
        lab.session.terminal.write(bytes);
        await delay(200);
      }
      await lab.waitForEvent('turn-ended', 0);
      expect(existsSync(join(lab.folders.worktree, 'asked.txt'))).toBe(true);
    });
  });

  describe(`${runtime}, supervised`, () => {
    const given = { runtime, task: facts.task, permissionMode: facts.unattendedMode };
    it.runIf(facts.undisturbed)('goes from the task to ready-for-testing, sandboxed, through both gates', async () => {
      await undisturbedWorkflow(given);
    });

    it('C039: gets there as well when it is killed once in every stage', async () => {
      await killedWorkflow(given);
    });
  });
}

const ended = ({ type }: { type: RuntimeEventType }) => type === 'turn-ended';

function inThisOrder(types: readonly RuntimeEventType[], wanted: readonly RuntimeEventType[]): boolean {
  let at = -1;
  return wanted.every((type) => (at = types.indexOf(type, at + 1)) !== -1);
}

async function words(lab: Lab, wanted: string): Promise<void> {
  await lab.waitForScreen(wanted, ({ terminal }) => terminal.text().join('\n').includes(wanted));
}

/** Waits until the program does nothing any more, as far as it shows. */
async function rest(lab: Lab): Promise<void> {
  await lab.waitForScreen('rest', (session) => {
    const screen = session.screen();
    const hint = lab.adapter.titleHint(screen.title);
    const idle = hint === null ? lab.report()?.kind === 'idle' : hint === 'idle';
    return idle && lab.adapter.composer(screen).state === 'empty';
  });
  await delay(500);
}

async function waitForRequest(lab: Lab, text: string): Promise<void> {
  await lab.waitForScreen(`a request with "${text}"`, () =>
    lab.model.requests.some((each) => each.userText.includes(text)),
  );
}

/** A program that has just drawn its composer may still drop what is typed. */
async function submitOnceReady(lab: Lab, text: string): Promise<void> {
  await lab.waitForScreen('the composer', (session) => lab.adapter.composer(session.screen()).state === 'empty');
  await delay(1_000);
  await lab.submit(text);
}
