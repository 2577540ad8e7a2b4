import { expect, it } from 'vitest';
import { createScreen } from '../../src/terminal/screen.ts';

it('tells the faint hint in a composer from a draft, also after lines have scrolled away', () => {
  const screen = createScreen({ cols: 20, rows: 3 });
  screen.writeNow('one\r\ntwo\r\nthree\r\n› \u001b[2mhint\u001b[0m typed');
  const row = screen.text().findIndex((line) => line.startsWith('›'));
  expect([0, 2, 5, 6, 7].map((col) => screen.isFaint(row, col))).toEqual([false, true, true, false, false]);
  expect(screen.isFaint(99, 99)).toBe(false);
  screen.dispose();
});
