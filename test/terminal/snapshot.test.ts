// A snapshot written into a fresh screen equals the screen it was taken of, cell by cell, and both go on alike.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import { escapeStream } from './escape-streams.ts';
import { screenState } from './screen-state.ts';

const size = { cols: 24, rows: 8, scrollback: 1000 };

function screenOf(text: string): Screen {
  const screen = createScreen(size);
  screen.writeNow(text);
  return screen;
}

test('a snapshot rebuilds the screen exactly', () => {
  fc.assert(
    fc.property(escapeStream, (stream) => {
      const screen = screenOf(stream);
      expect(screenState(screenOf(screen.snapshot()))).toEqual(screenState(screen));
    }),
    { numRuns: 400 },
  );
});

test('a snapshot taken anywhere, even inside a sequence, goes on as if nothing had happened', () => {
  fc.assert(
    fc.property(escapeStream, fc.double({ min: 0, max: 1, noNaN: true }), (stream, where) => {
      const characters = Array.from(stream);
      const cut = Math.floor(where * characters.length);
      const screen = screenOf(characters.slice(0, cut).join(''));
      const rebuilt = screenOf(screen.snapshot({ scrollback: 1000 }));
      for (const each of [screen, rebuilt]) each.writeNow(characters.slice(cut).join(''));
      expect(screenState(rebuilt)).toEqual(screenState(screen));
    }),
    { numRuns: 400 },
  );
});
