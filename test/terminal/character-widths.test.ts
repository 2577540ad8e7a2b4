// C067: every character takes the columns that programs count for it, so borders stay aligned.
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createScreen } from '../../src/terminal/screen.ts';

const corpus = [
  'plain',
  '漢字かな한국어',
  'e\u0301 n\u0303',
  '😀🚀✅⌛⭐',
  '❤\ufe0f☀\ufe0f✔\ufe0f',
  '☀ ✔ ❤ © ™ ↔',
  '👩‍👩‍👧‍👦 👨🏽‍💻 🏳\ufe0f‍🌈',
  '👍🏽👋🏿',
  '🇩🇪🇫🇷🇯🇵',
  '1\ufe0f\u20e3#\ufe0f\u20e3',
  '─│┌┐└┘▁▂█░',
  '⠋⠙⠹⠸',
  'العربية עברית',
  'a\u200bb',
  '①②',
  'ﬁ…—“”',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '🪿🫨🩷',
];

test.each(corpus)('C067: %s', (text) => {
  const screen = createScreen({ cols: 80, rows: 2 });
  screen.writeNow(`${text}|`);
  expect(screen.cursor.x).toBe(stringWidth(text) + 1);
  expect(screen.text()[0]).toBe(`${text}|`);
  // In pieces, as it arrives from a PTY.
  const split = createScreen({ cols: 80, rows: 2 });
  for (const byte of Buffer.from(`${text}|`)) split.writeNow(Buffer.of(byte));
  expect(split.text()).toEqual(screen.text());
  expect(split.cursor).toEqual(screen.cursor);
});
