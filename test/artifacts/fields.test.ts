import { expect, test } from 'vitest';
import { headField } from '../../src/artifacts/fields.ts';
import { readDocument } from '../../src/artifacts/markdown.ts';

test.each([
  ['Files: `src/a.js`, `src/b.js`', '`src/a.js`, `src/b.js`'],
  ['Files: `src/a.js`', 'src/a.js'],
  ['Files: **src/a.js**', 'src/a.js'],
  ['Files: **a**, **b**', '**a**, **b**'],
])('%s: marks go only when they wrap the whole value', (line, value) => {
  expect(headField(readDocument(`# Title\n\n${line}\n\n## Section\n`), 'Files')).toBe(value);
});
