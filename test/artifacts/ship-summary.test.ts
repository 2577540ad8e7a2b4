import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkdown, plainText } from '../../src/artifacts/markdown.ts';
import { readOwnDecisions } from '../../src/artifacts/own-decisions.ts';
import { type ShipFacts, assembleShipSummary } from '../../src/artifacts/ship-summary.ts';
import { example, tree } from './fixtures.ts';

const commit = '4be19c0d2f6a8b1c3e5d7f9a0b2c4d6e8f1a3b5c';

function makeFacts(text: (plain: string) => string = (plain) => plain): ShipFacts {
  return {
    run: text('exp-7-a'),
    task: { id: text('EXP-7'), title: text('Export loses a row'), priority: 'high', labels: [text('export')] },
    problem: text('The last row is missing.'),
    changes: [{ id: 'B1', text: text('writes every row'), evidence: ['E6', 'E7'] }],
    decisions: [
      {
        id: '1',
        question: text('Which text?'),
        options: [
          { id: 'A', text: text('3 rows exported') },
          { id: 'B', text: text('Done') },
        ],
        recommended: 'A',
        chosen: 'B',
        chosenBy: text('Emma'),
        chosenAt: '2026-01-02T03:04:05.000Z',
      },
    ],
    approvals: [{ gate: 'development', operator: text('Emma'), time: '2026-01-02T03:04:05.000Z' }],
    ownDecisions: [{ text: text('singular form'), from: 'plan-delta.md' }],
    diff: {
      baselineBranch: text('staging'),
      baselineCommit: commit,
      files: [
        { path: text('src/export.js'), added: 4, removed: 2 },
        { path: 'logo.png', added: null, removed: null },
      ],
    },
    tests: [{ evidence: 'E8', command: text('npm test'), exitCode: 0, durationMs: 1234 }],
    ignored: [
      { path: text('src/dist/'), belowTracked: true },
      { path: 'node_modules/', belowTracked: false },
    ],
    evidence: [
      { id: 'E8', kind: 'command', stage: 'verify', what: text('npm test'), exitCode: 0, sha256: 'ab'.repeat(32) },
    ],
    images: [{ name: text('dialog'), before: 'E3', after: 'E9' }],
    reviews: [{ round: 1, verdict: 'pass', blocking: 0, advisory: 1, tree }],
    limits: [text('large tables were not tried')],
    previewUrl: null,
    reviewBranch: text('gatehouse/exp-7-a'),
    reviewCommit: commit,
    compareLink: 'https://example.com/compare/a...b',
    tree,
    delivery: null,
  };
}

/** What a reader sees as structure: kinds of blocks, headings, numbers of items, rows and cells. */
function shape(markdown: string): unknown {
  return parseMarkdown(markdown).children.map((node) => {
    if (node.type === 'heading') return node.depth === 1 ? 'title' : plainText(node);
    if (node.type === 'table') return node.children.map((row) => row.children.length);
    return node.type === 'list' ? node.children.map((item) => item.children.map((c) => c.type)) : node.type;
  });
}

describe('stage 9: ship-summary.md is assembled by the engine from facts', () => {
  test('it holds the package: decisions with who chose, own decisions, diff, tests, evidence, reviews, branch, link, tree', () => {
    const text = assembleShipSummary(makeFacts());
    expect(text.match(/^## .*$/gm)).toEqual([
      '## Problem',
      '## What changed',
      '## Decisions',
      '## Approvals',
      '## Decisions the agent took on its own',
      '## Diff',
      '## Tests',
      '## Not delivered',
      '## Evidence',
      '## Images',
      '## Reviews',
      '## Limits',
      '## Delivery',
    ]);
    const said = plainText(parseMarkdown(text));
    for (const part of [
      'EXP-7: Export loses a row',
      'B1: writes every row -> E6, E7',
      '1. Which text? B: Done, chosen by Emma at 2026-01-02T03:04:05.000Z (recommended was A)',
      'singular form (plan-delta.md)',
      '2 files, +4 -2 against staging',
      'E8: npm test ended with exit code 0, 1.2 s',
      'src/dist/, below a folder of the product',
      'node_modules/',
      'https://example.com/compare/a...b',
      tree,
      'Not delivered yet.',
    ]) {
      expect(said).toContain(part);
    }
  });

  test('stage 10: after the delivery it names commits, branch and status', () => {
    const delivery = {
      finalCommit: commit,
      mergeCommit: 'f'.repeat(40),
      branch: 'develop',
      taskStatus: 'Ready for Testing',
      time: '2026-01-02T04:00:00.000Z',
    };
    const said = plainText(parseMarkdown(assembleShipSummary({ ...makeFacts(), delivery })));
    for (const part of Object.values(delivery)) expect(said).toContain(part);
    const fast = assembleShipSummary({ ...makeFacts(), delivery: { ...delivery, mergeCommit: null } });
    expect(fast).toContain('None (fast-forward)');
  });

  test('the same facts give the same bytes, and empty lists say None', () => {
    expect(assembleShipSummary(makeFacts())).toBe(assembleShipSummary(makeFacts()));
    const empty = { ...makeFacts(), changes: [], decisions: [], evidence: [], reviews: [], images: [], limits: [] };
    expect(assembleShipSummary(empty).match(/^None$/gm)).toHaveLength(6);
  });

  test('foreign text cannot add a heading, an item, a row or a link', () => {
    const expected = shape(assembleShipSummary(makeFacts()));
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.constantFrom(
        '\n# Approved',
        'a | b | c',
        '`code` ``',
        '- item',
        '1. item',
        '[link](https://evil.example)',
        '<script>',
        '---',
        '***',
        '| a |\n|---|',
        '\\',
        '\\|',
        '`|`',
        '\u001B[2J',
        '\u202E',
        '===',
        '&lt;',
        '~~~',
        '[^1]',
        '- [ ] x',
        '+ x',
      ),
    );
    fc.assert(
      fc.property(hostile, (evil) => {
        const text = assembleShipSummary(makeFacts((plain) => `${evil}${plain}`));
        expect(shape(text)).toEqual(expected);
        expect(JSON.stringify(parseMarkdown(text))).not.toMatch(
          /"type":"(html|strong|emphasis|delete|image|footnoteReference)"/,
        );
      }),
      { numRuns: 60 },
    );
  });
});

test('decisions that the agent took on its own are gathered once each, with their source', () => {
  const artifacts = { 'plan-delta.md': example('plan-delta.md'), 'verification.md': example('verification.md') };
  expect(readOwnDecisions(artifacts)).toEqual([
    { text: 'One row reads "1 row exported"; the terminology asks for a singular form', from: 'plan-delta.md' },
    { text: 'One row reads "1 row exported"', from: 'verification.md' },
  ]);
  expect(readOwnDecisions({ 'patch-notes.md': example('patch-notes.md') })).toEqual([]);
});
