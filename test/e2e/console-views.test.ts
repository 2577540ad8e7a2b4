// What the console shows of runs that are gone into and left, one after the other.
import { expect, test } from 'vitest';
import { caseSize } from '../support/case-size.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { type TestTerminal, openBuilt } from '../support/terminal.ts';
import { patient } from './at-the-console.ts';
import { Site } from './site.ts';

const lines = 150;
const numbered = { numbered: { file: 'numbered.mjs', args: [String(lines)] } };

test('C065: scrolled back, each of many runs shows its own text, all of it, and nothing of the others', {
  timeout: 400_000,
}, async () => {
  const runs = caseSize({ usual: 3, full: 20 });
  await using site = await Site.open({ config: { sandbox: 'off' }, fixtures: numbered });
  const ids = await Promise.all(Array.from({ length: runs }, async () => (await site.fixture('numbered')).id));
  for (const id of ids) await site.until(id, 'to be ready', (row) => row.lastLine.endsWith('ready'));
  await using terminal = openBuilt('gatehouse', { env: site.product.home.env, cols: 110, rows: 36 });
  await terminal.waitForText(ids[0]?.toUpperCase() ?? '', patient);
  const visited: string[] = [];
  for (const [index] of ids.entries()) {
    // From the top of the grid each time.
    terminal.write(`g${'j'.repeat(index)}`);
    terminal.write('a');
    await terminal.waitForText('Ctrl-]: d detach', patient);
    terminal.write('\u001d[');
    await terminal.waitForText(/scrolled back[^]*ready/, patient);
    const id = /(\S+) line \d+ of /.exec(terminal.text().join('\n'))?.[1] ?? '';
    visited.push(id);
    expect(await everythingScrolledBack(terminal, id)).toEqual(
      Array.from({ length: lines }, (_, line) => `${id} line ${line + 1} of ${lines}`),
    );
    terminal.write('q');
    await terminal.waitForText('Ctrl-]: d detach', patient);
    terminal.write('\u001dd');
    await terminal.waitForText('detached from TB-', patient);
  }
  expect(visited.toSorted()).toEqual(ids.toSorted());
  terminal.write('q');
  await terminal.exit;
  // Of all that, the operator's own terminal has kept the farewell.
  const { normal } = terminal.emulator.buffer;
  const kept = Array.from({ length: normal.length }, (_, y) => normal.getLine(y)?.translateToString(true) ?? '');
  expect(kept.filter((row) => row !== '')).toEqual([expect.stringContaining(`${runs} runs go on`)]);
});

test('C069: text that is not ASCII is right without a locale', { timeout: 120_000 }, async () => {
  await using site = await Site.open({
    home: temporaryHome({ LANG: 'C', LC_ALL: 'C' }),
    config: { sandbox: 'off' },
    fixtures: numbered,
  });
  const { id } = await site.fixture('numbered');
  await site.until(id, 'to be ready', (row) => row.lastLine === '漢字 żółw ─│┌ ready');
  await using terminal = openBuilt('gatehouse', { env: site.product.home.env, cols: 110, rows: 36 });
  await terminal.waitForText('漢字 żółw ─│┌ ready', patient);
  terminal.write('a');
  await terminal.waitForText(`line ${lines} of ${lines}\n漢字 żółw ─│┌ ready`, patient);
  expect((await site.product.run(['doctor'])).stdout).toMatch(/locale +LC_ALL=C: agents may draw/);
});

/** All rows that name a line, from the top to the end, half a page at a time. */
async function everythingScrolledBack(terminal: TestTerminal, id: string): Promise<string[]> {
  const seen = new Set<string>();
  let first = 0;
  terminal.write('g');
  do {
    await terminal.waitForScreen((rows) => isNextPage(rows, first), `the page of ${id} after line ${first}`, patient);
    const page = terminal.text().join('\n');
    for (const [found] of page.matchAll(/\S+ line \d+ of \d+/g)) seen.add(found);
    if (page.includes('ready')) return [...seen];
    first = numbersOn(terminal.text())[0] ?? 0;
    terminal.write('\u0004');
  } while (seen.size < 2 * lines);
  return [...seen];
}

/** The first one, or one further down; and not half of it with half of the one before. */
function isNextPage(rows: readonly string[], before: number): boolean {
  const numbers = numbersOn(rows);
  const [first = 0] = numbers;
  return (before === 0 ? first === 1 : first > before) && numbers.every((each, index) => each === first + index);
}

function numbersOn(rows: readonly string[]): number[] {
  return [...rows.join('\n').matchAll(/ line (\d+) of /g)].map(([, number]) => Number(number));
}
