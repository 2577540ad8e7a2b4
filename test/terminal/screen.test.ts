import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ScreenEvent } from '../../src/terminal/notices.ts';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import { enterAttach, undoModes } from '../../src/terminal/undo-modes.ts';
import { screenState } from './screen-state.ts';

interface Probe {
  readonly screen: Screen;
  readonly replies: string[];
  readonly events: ScreenEvent[];
}

function probe(cols = 40, rows = 10): Probe {
  const replies: string[] = [];
  const events: ScreenEvent[] = [];
  const screen = createScreen({
    cols,
    rows,
    onReply: (text) => replies.push(text),
    onEvent: (event) => events.push(event),
  });
  return { screen, replies, events };
}

describe('one answerer for terminal queries', () => {
  test.each([
    ['DA1', '\x1b[c', '\x1b[?1;2c'],
    ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
    ['DSR', '\x1b[5n', '\x1b[0n'],
    ['CPR', '\x1b[3;7H\x1b[6n', '\x1b[3;7R'],
    ['DECRQM', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
    ['DECRQM of a mode we lack', '\x1b[?2048$p', '\x1b[?2048;0$y'],
    ['kitty keys', '\x1b[?u', '\x1b[?0u'],
    ['kitty keys, pushed twice, popped once', '\x1b[>1u\x1b[>13u\x1b[<u\x1b[?u', '\x1b[?1u'],
    ['kitty keys of the other screen', '\x1b[>5u\x1b[?1049h\x1b[?u', '\x1b[?0u'],
    ['kitty keys, set, added, removed', '\x1b[=5u\x1b[=2;2u\x1b[=4;3u\x1b[?u', '\x1b[?3u'],
    ['XTVERSION', '\x1b[>0q', '\x1bP>|gatehouse\x1b\\'],
    ['colour scheme', '\x1b[?996n', '\x1b[?997;1n'],
    ['OSC 10', '\x1b]10;?\x07', '\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\'],
    ['OSC 11', '\x1b]11;?\x1b\\', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['OSC 11, set before', '\x1b]11;#102030\x07\x1b]11;?\x07', '\x1b]11;rgb:1010/2020/3030\x1b\\'],
    ['OSC 10 and 11 in one', '\x1b]10;?;?\x07', '\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['OSC 4', '\x1b]4;1;?;231;?\x07', '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\\x1b]4;231;rgb:ffff/ffff/ffff\x1b\\'],
    ['XTGETTCAP', '\x1bP+q544e\x1b\\', '\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\'],
    ['XTGETTCAP unknown', '\x1bP+q5858\x1b\\', '\x1bP0+r5858\x1b\\'],
    ['size in cells', '\x1b[18t', '\x1b[8;10;40t'],
  ])('%s', (_name, query, answer) => {
    const { screen, replies } = probe();
    screen.writeNow(query);
    expect(replies.join('')).toBe(answer);
  });

  test('nothing is answered or announced of what is old', () => {
    const { screen, replies, events } = probe();
    screen.live = false;
    screen.writeNow('\x1b[c\x1b[?u\x1b]11;?\x07\x07\x1b]9;done\x07\x1b]2;title\x07');
    expect([replies, events, screen.title]).toEqual([[], [], 'title']);
  });
});

test('bell, notifications, title and clipboard are events', () => {
  const { screen, events } = probe();
  screen.writeNow('\x07\x1b]9;Oh My Pi: Complete\x07\x1b]9;4;1;50\x07\x1b]777;notify;Title;a;b\x1b\\\x1b]2;new\x07');
  screen.writeNow(
    '\x1b]99;i=1:d=0;Half\x1b\\\x1b]99;i=1:p=body;the body\x1b\\\x1b]99;i=2:p=?;\x1b\\\x1b]99;;only\x1b\\',
  );
  screen.writeNow('\x1b]52;c;aGk=\x07\x1b]52;c;?\x07');
  expect(events).toEqual([
    { kind: 'bell' },
    { kind: 'notification', title: null, body: 'Oh My Pi: Complete' },
    { kind: 'notification', title: 'Title', body: 'a;b' },
    { kind: 'title', title: 'new' },
    { kind: 'notification', title: 'Half', body: 'the body' },
    { kind: 'notification', title: null, body: 'only' },
    { kind: 'clipboard', selection: 'c', text: 'hi' },
  ]);
});

test('rows for previews are cut to a width, keep their colours, and hold nothing but text and SGR', () => {
  const { screen } = probe(20, 3);
  screen.writeNow('\x1b[31mred\x1b[m plain\r\n  \x1b[44m 漢字漢字 \x1b[m\r\n\x1b[1mlast');
  expect(screen.styledRows({ width: 8 })).toEqual([
    { text: 'red plai', ansi: '\x1b[0;31mred\x1b[m plai' },
    { text: '   漢字', ansi: '  \x1b[0;44m 漢字\x1b[m' },
    { text: 'last', ansi: '\x1b[0;1mlast\x1b[m' },
  ]);
  expect(screen.text()).toEqual(['red plain', '   漢字漢字', 'last']);
  expect(screen.lastLine()).toBe('last');
  screen.writeNow('\r\nmore\r\nlines');
  expect(screen.styledRows({ from: -2, count: 2 }).map((row) => row.text)).toEqual(['red plain', '   漢字漢字']);
});

test('C045: after a detach the terminal is as it was before', () => {
  const everything =
    '\x1b[?1;5;6;45;66;69h\x1b[?7l\x1b[?25l\x1b[?1003;1006;1004;2004;1007h\x1b[4h\x1b[20h\x1b=\x1b[>5u\x1b[>7u\x1b[>4;2m' +
    '\x1b[3;5r\x1b[5 q\x1b(0\x0e\x1b[1;31;44m\x1b[1"q\x1b]8;;http://x/\x07';
  const keys = ['modes', 'style', 'charset', 'region', 'parser', 'convertEol', 'type'] as const;
  const pick = (screen: Screen): unknown => keys.map((key) => (screenState(screen) as Record<string, unknown>)[key]);
  const untouched = pick(probe().screen);
  for (const left of ['', '\x1b[?1049h', '\x1b]2;unfinished', '\x1b[1;', '\x1bP+q', '\x1b[?1049h\x1b[>3u']) {
    const { screen } = probe();
    screen.writeNow(everything + left);
    expect(pick(screen)).not.toEqual(untouched);
    screen.writeNow(undoModes(screen.modes));
    expect(pick(screen)).toEqual(untouched);
    const { visible, shape } = screen.cursor;
    expect([visible, shape]).toEqual([true, null]);
  }
});

test('an attach begins with a clean screen, whatever was on it', () => {
  const { screen } = probe();
  screen.writeNow('\x1b[?6h\x1b[3;5r\x1b[41mold text');
  screen.writeNow(enterAttach());
  expect(screen.text().join('')).toBe('');
  expect(screen.cursor).toMatchObject({ x: 0, y: 0 });
});

test('C069: text that is not UTF-8 shows as replacement characters, however it is cut', () => {
  const bytes = Buffer.from('a\xff\xc3b€', 'latin1');
  const whole = probe().screen;
  whole.writeNow(bytes);
  const split = probe().screen;
  for (const byte of Buffer.concat([Buffer.from('a'), Buffer.of(0xff, 0xc3), Buffer.from('b€')]))
    split.writeNow(Buffer.of(byte));
  expect(split.text()[0]).toBe('a\uFFFD\uFFFDb€');
  expect(whole.text()[0]).toContain('a\uFFFD\uFFFDb');
});

test('one screen in a flood does not keep another waiting', async () => {
  const flooded = probe(80, 24).screen;
  const quiet = probe(80, 24).screen;
  for (let index = 0; index < 200; index += 1) flooded.write(`${'flood '.repeat(2_000)}\r\n`);
  let shown = false;
  quiet.write('quick', () => (shown = true));
  for (let turns = 0; !shown && turns < 3; turns += 1) await nextTurn();
  expect([shown, quiet.lastLine()]).toEqual([true, 'quick']);
  expect(flooded.pendingBytes).toBeGreaterThan(1_000_000);
  // A snapshot includes everything that was written, parsed or not.
  expect(flooded.snapshot()).toContain('flood');
  expect(flooded.pendingBytes).toBe(0);
});

test('sizes change in their place among the output', async () => {
  const { screen } = probe(10, 3);
  screen.write('0123456789ab');
  screen.resize(20, 3);
  screen.write('cd');
  await screen.flush();
  expect(screen.text()).toEqual(['0123456789', 'abcd', '']);
});
