import { expect, test } from 'vitest';
import { createScreen } from '../../src/terminal/screen.ts';

test('a screen that has become narrower shows nothing of what was beyond its edge', async () => {
  const screen = createScreen({ cols: 40, rows: 4 });
  screen.writeNow(`\u001b[?1049h\u001b[H${'x'.repeat(40)}`);
  screen.resize(20, 4);
  await screen.flush();
  expect(screen.text()[0]).toBe('x'.repeat(20));
  screen.dispose();
});
