import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { encodeJson, FrameDecoder } from '../../../src/protocol/frame.ts';
import type { RuntimeEvent } from '../../../src/runtimes/event.ts';
import type { ScreenView } from '../../../src/runtimes/screen-view.ts';
import { scriptedAdapter as adapter } from '../../../src/runtimes/scripted-adapter.ts';
import type { TestTerminal } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait-for.ts';
import { hostPrompt } from './play.ts';
import { openStage, type Stage } from './stage.ts';

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

describe('the screen of the scripted agent, read by its own adapter', () => {
  it('is ready when it turns bracketed paste on, and idle', async () => {
    await using stage = await openStage('TB-109');
    const terminal = stage.launch({});
    await ready(terminal);
    expect(terminal.emulator.modes.bracketedPasteMode).toBe(true);
    expect(adapter.composer(view(terminal))).toEqual({ state: 'empty' });
    expect(adapter.titleHint(title(terminal))).toBe('idle');
    expect(adapter.dialog(view(terminal))).toBeNull();
  });

  it('shows a draft that was typed, and sends it with Enter', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({});
    await ready(terminal);
    terminal.write('hello 你好 🧹x\u007f');
    await waitFor(() => adapter.composer(view(terminal)).state === 'draft', { what: 'a draft' });
    expect(adapter.composer(view(terminal))).toEqual({ state: 'draft', text: 'hello 你好 🧹' });
    terminal.write('\r');
    await stage.turns(1);
    expect(messages(stage)).toEqual([{ text: 'hello 你好 🧹', via: 'typed' }]);
    await terminal.waitForText('Noted, message 1 of this conversation: hello');
    await waitFor(() => adapter.composer(view(terminal)).state === 'empty', { what: 'an empty composer' });
  });

  it('keeps the lines of a paste, and sends a paste with Enter in one write', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({});
    await ready(terminal);
    terminal.write(`${pasteStart}first\r\nsecond\nthird${pasteEnd}\r`);
    await stage.turns(1);
    expect(messages(stage)).toEqual([{ text: 'first\nsecond\nthird', via: 'pasted' }]);
  });

  it('C051: takes a paste of 300 lines in full, shown as a card', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({});
    await ready(terminal);
    const text = Array.from({ length: 300 }, (_, line) => `line ${line} ${'x'.repeat(200)}`).join('\n');
    terminal.write(`${pasteStart}${text}${pasteEnd}`);
    await terminal.waitForText('[Pasted text +299 lines]');
    terminal.write('\r');
    await stage.turns(1);
    const hashes = stage.truths().flatMap((truth) => (truth.type === 'message' ? [truth.sha256] : []));
    expect(hashes).toEqual([createHash('sha256').update(text).digest('hex')]);
  });

  it('C060: replies of a terminal never become text', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({});
    await ready(terminal);
    for (const piece of '\u001b[?1;2c\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\\u001b[24;80R\u001bP>|x(1)\u001b\\')
      terminal.write(piece);
    terminal.write('typed');
    await waitFor(() => adapter.composer(view(terminal)).state === 'draft', { what: 'a draft' });
    expect(adapter.composer(view(terminal))).toEqual({ state: 'draft', text: 'typed' });
  });

  it('opens a permission dialog in which a paste is lost and Enter approves', async () => {
    await using stage = await openStage('TB-105', 'staging');
    const terminal = stage.launch({ scenario: 'permission', prompt: hostPrompt });
    const dialog = await waitFor(() => adapter.dialog(view(terminal)), { what: 'a dialog' });
    expect(dialog).toMatchObject({ name: 'permission', text: expect.stringContaining('Allow tool: bash') as string });
    expect(dialog.choices.map(({ label }) => label)).toEqual(['Approve', 'Deny']);
    expect(adapter.titleHint(title(terminal))).toBe('blocked');
    expect(adapter.composer(view(terminal))).toEqual({ state: 'none' });
    terminal.write(`${pasteStart}looks good${pasteEnd}`);
    terminal.write('\r');
    await stage.turns(1);
    expect(dialogs(stage)).toEqual(['open', 'approved']);
    expect(stage.truths()).toContainEqual(expect.objectContaining({ type: 'dropped-input', bytes: 10 }));
    expect(messages(stage)).toEqual([{ text: hostPrompt, via: 'argument' }]);
  });

  it('denies by the writes that the adapter gives for the second choice', async () => {
    await using stage = await openStage('TB-105', 'staging');
    const terminal = stage.launch({ scenario: 'permission', prompt: hostPrompt });
    const dialog = await waitFor(() => adapter.dialog(view(terminal)), { what: 'a dialog' });
    for (const write of dialog.choices[1]?.writes ?? []) terminal.write(write);
    await stage.turns(1);
    expect(dialogs(stage)).toEqual(['open', 'denied']);
    expect(commands(stage)).not.toContain('rm -rf out');
  });

  it('Esc breaks off a turn, and the next message goes on', async () => {
    await using stage = await openStage('TB-109');
    const terminal = stage.launch({ scenario: 'slow', prompt: hostPrompt, tempoMs: 40 });
    await terminal.waitForText('reading file 3 of 120');
    expect(adapter.titleHint(title(terminal))).toBe('working');
    terminal.write('\u001b');
    await terminal.waitForText('Interrupted.');
    expect(stage.truths()).toContainEqual(expect.objectContaining({ type: 'interrupted' }));
    await waitFor(() => adapter.titleHint(title(terminal)) === 'idle', { what: 'an idle title' });
    terminal.write('and now?\r');
    await terminal.waitForText('Noted, message 2 of this conversation: and now?');
  });

  it('answers a message in the middle of its work, and goes on', async () => {
    await using stage = await openStage('TB-109');
    const terminal = stage.launch({ prompt: hostPrompt, tempoMs: 20 });
    await terminal.waitForText('lattice skill');
    terminal.write(`${pasteStart}be quick${pasteEnd}\r`);
    await stage.turns(1);
    expect(stage.state().stage).toBe('await-development');
    expect(messages(stage).map(({ text }) => text)).toEqual([hostPrompt, 'be quick']);
    expect(transcript(await entries(stage, 'session-1'))).toContain('Noted, message 2 of this conversation: be quick');
  });

  it('C039: a resumed session remembers, a fresh one does not', async () => {
    await using stage = await waitingStage();
    const first = stage.launch({ session: 'one', prompt: 'the password is heron' });
    await stage.turns(1);
    await first[Symbol.asyncDispose]();
    const resumed = stage.launch({ session: 'one', resume: true });
    await resumed.waitForText('one (resumed)');
    resumed.write('what do you remember?\r');
    await resumed.waitForText('I remember 2 messages; the first was: the password is heron');
    const fresh = stage.launch({ session: 'two', prompt: 'what do you remember?' });
    await fresh.waitForText('I remember 1 messages; the first was: what do you remember?');
  });

  it('leaves on Ctrl-C twice, says how to go on, and leaves the terminal as it was', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({ session: 'leaver' });
    await ready(terminal);
    terminal.write('\u0003');
    await terminal.waitForText('press Ctrl-C again to leave');
    terminal.write('\u0003');
    expect(await terminal.exit).toEqual({ code: 0, signal: null });
    await terminal.waitForText('To go on with this conversation: --session leaver --resume');
    expect(terminal.emulator.modes.bracketedPasteMode).toBe(false);
    expect(terminal.emulator.buffer.active.type).toBe('normal');
  });

  it.each(['/exit\r', '\u0004'])('leaves on %j', async (keys) => {
    await using stage = await waitingStage();
    const terminal = stage.launch({});
    await ready(terminal);
    terminal.write(keys);
    expect((await terminal.exit).code).toBe(0);
  });

  it('draws its region once, whatever the size of the terminal becomes', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({ cols: 100, rows: 24 });
    await ready(terminal);
    terminal.write('a draft');
    for (const [cols, rows] of [
      [60, 20],
      [30, 12],
      [120, 40],
      [45, 10],
    ] as const) {
      terminal.resize(cols, rows);
      terminal.write('.');
      await terminal.waitForText(new RegExp(`^› a draft\\.+`, 'm'));
    }
    await terminal.waitForText('› a draft....');
    expect(terminal.text().filter((line) => line.includes('a draft'))).toHaveLength(1);
    expect(terminal.text().filter((line) => line.includes('scripted agent ·'))).toHaveLength(1);
  });

  it('writes nothing while it is idle', async () => {
    await using stage = await waitingStage();
    const terminal = stage.launch({ prompt: 'hello' });
    await stage.turns(1);
    await waitFor(() => adapter.titleHint(title(terminal)) === 'idle', { what: 'an idle title' });
    const before = terminal.raw().length;
    stage.control('say a mark');
    await terminal.waitForText('● a mark');
    // The mark and one drawing of the region; a spinner would have added a frame for every eighth of a second.
    expect(terminal.raw().length - before).toBeLessThan(700);
    expect(terminal.raw().subarray(before).toString()).not.toMatch(/[⠀-⣿]/u);
  });
});

describe('what the scripted agent reports', () => {
  it('is understood by the adapter, event by event, in order', async () => {
    await using stage = await openStage('TB-105', 'staging');
    await using reports = await listen(stage);
    const terminal = stage.launch({ scenario: 'permission', prompt: hostPrompt, env: reports.env });
    await waitFor(() => adapter.dialog(view(terminal)), { what: 'a dialog' });
    terminal.write('1');
    await stage.turns(1);
    await waitFor(() => reports.events.some(({ type }) => type === 'turn-ended'), { what: 'the end of the turn' });
    terminal.write('\u0003');
    terminal.write('\u0003');
    await terminal.exit;
    const types = reports.events.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['session-started', 'turn-started', 'tool-called']);
    expect(types.filter((type) => type === 'asked' || type === 'answered')).toEqual(['asked', 'answered']);
    expect(types.slice(-3)).toEqual(['usage', 'turn-ended', 'session-ended']);
    const sequences = reports.events.map(({ sequence }) => sequence ?? 0);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(reports.events.map(({ session, marker }) => `${session} ${marker}`))).toEqual(
      new Set(['session-1 m1']),
    );
    expect(reports.events.find(({ type }) => type === 'turn-started')).toMatchObject({ prompt: hostPrompt });
  });

  it('a refused tool call is not made', async () => {
    await using stage = await openStage('TB-111');
    await using reports = await listen(stage, (event) =>
      event.type === 'tool-called' &&
      event.call?.edits === true &&
      event.call.paths.some((path) => path.includes('/src/'))
        ? { decision: 'deny', reason: 'product code may not change now' }
        : { decision: 'allow' },
    );
    stage.launch({ scenario: 'misbehave-edit', prompt: hostPrompt, env: reports.env });
    await stage.turns(1);
    expect(stage.truths()).toContainEqual(
      expect.objectContaining({ type: 'tool-refused', name: 'edit', reason: 'product code may not change now' }),
    );
    expect(stage.truths().filter(({ type }) => type === 'edit')).not.toContainEqual(
      expect.objectContaining({ file: 'src/share.js' }),
    );
  });
});

describe('the control file', () => {
  it('pauses between steps, floods, types a draft, and ends with a given code', async () => {
    await using stage = await openStage('TB-109');
    const terminal = stage.launch({ prompt: hostPrompt, tempoMs: 30 });
    await terminal.waitForText('lattice skill');
    stage.control('pause');
    stage.control('say paused');
    await terminal.waitForText('● paused');
    expect(stage.truths().some(({ type }) => type === 'answer')).toBe(false);
    stage.control('resume');
    await stage.turns(1);
    const before = terminal.raw().length;
    stage.control('flood 300000');
    await waitFor(() => terminal.raw().length - before >= 300_000, { what: 'the flood' });
    stage.control('draft unfinished');
    await waitFor(() => adapter.composer(view(terminal)).state === 'draft', { what: 'a draft' });
    stage.control('exit 7');
    expect((await terminal.exit).code).toBe(7);
    expect(stage.truths().at(-1)).toMatchObject({ type: 'exit', code: 7, reason: 'control' });
  });

  it.each([
    ['crash 3', { code: 3, signal: null }],
    ['crash SIGKILL', { code: 0, signal: 9 }],
  ])('%s', async (line, exit) => {
    await using stage = await openStage('TB-109');
    const terminal = stage.launch({});
    await ready(terminal);
    stage.control(line);
    expect(await terminal.exit).toEqual(exit);
  });
});

/** A stage on which the agent has nothing to do. */
async function waitingStage(): Promise<Stage> {
  const stage = await openStage('TB-109');
  stage.change({ stage: 'await-development' });
  return stage;
}

async function ready(terminal: TestTerminal): Promise<void> {
  await waitFor(() => terminal.emulator.modes.bracketedPasteMode, { what: 'bracketed paste' });
}

function view(terminal: TestTerminal): ScreenView {
  const { cursorX, cursorY } = terminal.emulator.buffer.active;
  return {
    rows: terminal.text(),
    cols: terminal.emulator.cols,
    title: title(terminal),
    cursor: { row: cursorY, col: cursorX },
    isFaint: (row, col) => terminal.cell(col, row).dim,
  };
}

function title(terminal: TestTerminal): string {
  return (
    [
      ...terminal
        .raw()
        .toString()
        .matchAll(/\u001b\]2;([^\u0007]*)\u0007/g),
    ].at(-1)?.[1] ?? ''
  );
}

function messages(stage: Stage): { text: string; via: string }[] {
  return stage.truths().flatMap((truth) => (truth.type === 'message' ? [{ text: truth.text, via: truth.via }] : []));
}

function dialogs(stage: Stage): string[] {
  return stage.truths().flatMap((truth) => (truth.type === 'dialog' ? [truth.answer] : []));
}

function commands(stage: Stage): string[] {
  return stage.truths().flatMap((truth) => (truth.type === 'tool' ? [truth.command] : []));
}

async function entries(stage: Stage, session: string) {
  const context = { runtimeSession: session, worktree: stage.worktree, runtimeDir: stage.dir, env: {} };
  return (await adapter.transcript?.read(join(stage.dir, 'sessions', `${session}.jsonl`), context)) ?? [];
}

function transcript(list: Awaited<ReturnType<typeof entries>>): string {
  return list.map(({ text }) => text).join('\n');
}

interface Listener extends AsyncDisposable {
  readonly events: RuntimeEvent[];
  readonly env: Record<string, string>;
}

/** A run socket: each report must mean something to the adapter. */
async function listen(stage: Stage, answer: (event: RuntimeEvent) => unknown = () => ({})): Promise<Listener> {
  const path = join(stage.dir, 'run.sock');
  const events: RuntimeEvent[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const decoder = new FrameDecoder();
    open.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        if (frame.kind !== 0) continue;
        const { id, method, params } = frame.value as {
          id: number;
          method: string;
          params: { runtime: string; event: unknown };
        };
        if (method !== 'hook' || params.runtime !== 'scripted') throw new Error(`unexpected ${method}`);
        const [event] = adapter.readEvent(params.event, Date.now());
        if (event === undefined) throw new Error(`not understood: ${JSON.stringify(params.event)}`);
        events.push(event);
        socket.write(encodeJson({ id, result: { text: '', json: answer(event) } }));
      }
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    events,
    env: { GATEHOUSE_RUN_SOCKET: path, GATEHOUSE_SESSION_ID: 'm1' },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
