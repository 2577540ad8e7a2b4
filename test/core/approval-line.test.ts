import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultTokens, exampleLine, judgeLine } from '../../src/core/approval-line.ts';
import type { Decision } from '../../src/core/decision.ts';

const decision = (id: string, options: string[]): Decision => ({
  id,
  question: `Question ${id}?`,
  options: options.map((o) => ({ id: o, text: `Option ${o}` })),
  recommended: options[0] ?? 'A',
  chosen: null,
});
const three = [decision('1', ['A', 'B']), decision('2', ['A', 'B', 'C']), decision('3', ['A', 'B'])];
const judge = (line: string, decisions = three) => judgeLine(line, 'development', defaultTokens, decisions);

describe('await-development opens only with the exact token and a choice for every open decision', () => {
  test('the exact line opens, in any order of the choices', () => {
    expect(judge('1A 2A 3B [START DEVELOPMENT]')).toEqual({ ok: true, choices: { 1: 'A', 2: 'A', 3: 'B' } });
    expect(judge('3B 1A 2C [START DEVELOPMENT]')).toEqual({ ok: true, choices: { 1: 'A', 2: 'C', 3: 'B' } });
    expect(judge('[START DEVELOPMENT]', [])).toEqual({ ok: true, choices: {} });
  });

  test.each([
    ['continue', 'gate.token-mismatch'],
    ['looks good', 'gate.token-mismatch'],
    ['go ahead', 'gate.token-mismatch'],
    ['start development', 'gate.token-mismatch'],
    ['START DEVELOPMENT', 'gate.token-mismatch'],
    ['[start development]', 'gate.token-mismatch'],
    ['1A 2A 3A [START DEVELOPMENT', 'gate.token-mismatch'],
    ['1A 2A 3A START DEVELOPMENT]', 'gate.token-mismatch'],
    ['1A 2A 3A [START DEVELOPMENT] ', 'gate.token-mismatch'],
    ['1A 2A 3A [START DEVELOPMENT]\n', 'gate.token-mismatch'],
    ['1A 2A 3A  [START DEVELOPMENT]', 'gate.token-mismatch'],
    [' 1A 2A 3A [START DEVELOPMENT]', 'gate.token-mismatch'],
    ['1A 2A 3A[START DEVELOPMENT]', 'gate.token-mismatch'],
    ['1A, 2A, 3A [START DEVELOPMENT]', 'gate.token-mismatch'],
    ['1a 2A 3A [START DEVELOPMENT]', 'gate.token-mismatch'],
    ['please 1A 2A 3A [START DEVELOPMENT]', 'gate.token-mismatch'],
    ['1A 2A 3A ［START DEVELOPMENT］', 'gate.token-mismatch'],
    ['1A 2A 3A [SUBMIT FOR TESTING]', 'gate.token-mismatch'],
    ['', 'gate.token-mismatch'],
    ['[START DEVELOPMENT]', 'gate.choices-incomplete'],
    ['1A [START DEVELOPMENT]', 'gate.choices-incomplete'],
    ['1A 2A 3C [START DEVELOPMENT]', 'gate.choices-incomplete'],
    ['1A 2A 3A 4A [START DEVELOPMENT]', 'gate.choices-incomplete'],
    ['1A 1B 2A 3A [START DEVELOPMENT]', 'gate.choices-incomplete'],
  ])('%j is refused with a reason', (line, code) => {
    expect(judge(line)).toMatchObject({ ok: false, code, why: expect.stringMatching(/\w{3}/) as string });
  });

  test('the reason names what is missing', () => {
    expect(judge('1A [START DEVELOPMENT]')).toMatchObject({ why: 'decisions 2, 3 have no choice' });
    expect(judge('1A 2D 3A [START DEVELOPMENT]')).toMatchObject({ why: 'decision 2 has no option D; it has A, B, C' });
  });

  test('no line but the exact ones opens the gate', () => {
    const words = fc.array(
      fc.constantFrom('1A', '2B', '3A', '1', 'A', ' ', '  ', '[START DEVELOPMENT]', '[', ']', '\n', '【'),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(words, (parts) => {
        const line = parts.join('');
        const exact = /^(?:1A 2B 3A|1A 3A 2B|2B 1A 3A|2B 3A 1A|3A 1A 2B|3A 2B 1A) \[START DEVELOPMENT\]$/;
        expect(judge(line).ok).toBe(exact.test(line));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the second gate', () => {
  test('takes its token alone', () => {
    const judge2 = (line: string) => judgeLine(line, 'testing', defaultTokens, three);
    expect(judge2('[SUBMIT FOR TESTING]')).toEqual({ ok: true, choices: {} });
    expect(judge2('1A [SUBMIT FOR TESTING]').ok).toBe(false);
    expect(judge2('[START DEVELOPMENT]').ok).toBe(false);
  });
});

describe('tokens of a workspace', () => {
  const tokens = { development: '【进入开发】', testing: '【提测】' };

  test('match exactly, with no folding between half and full width', () => {
    expect(judgeLine('1A 2A 3A 【进入开发】', 'development', tokens, three).ok).toBe(true);
    expect(judgeLine('[提测]', 'testing', tokens, [])).toMatchObject({ ok: false, code: 'gate.token-mismatch' });
    expect(judgeLine('【提测】', 'testing', tokens, [])).toEqual({ ok: true, choices: {} });
    expect(judgeLine('[START DEVELOPMENT]', 'development', tokens, []).ok).toBe(false);
  });

  test('the example line is one that opens', () => {
    expect(judge(exampleLine('development', defaultTokens, three)).ok).toBe(true);
  });
});
