// A gate opens with the exact line and with nothing else; whatever is refused leaves every byte of the state alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Product, recommendedLine } from './product.ts';

describe('a gate of a real run', () => {
  test('refuses near misses byte for byte, opens with the exact line, once', { timeout: 120_000 }, async () => {
    await using product = new Product();
    await product.demo(4);
    const waiting = await product.waitForRun('tb-104', 'to wait at gate 1', (row) => row.pendingToken !== null);
    expect(waiting.decisions).toHaveLength(3);
    const files = ['state.json', 'journal.jsonl'].map((name) => join(waiting.dir, name));
    const before = files.map((path) => readFileSync(path));

    for (const line of [
      'looks good',
      'continue',
      'START DEVELOPMENT',
      '[start development]',
      '1A [START DEVELOPMENT]',
      '1A 2A 3Z [START DEVELOPMENT]',
      '[SUBMIT FOR TESTING]',
      `${recommendedLine(waiting)} `,
    ]) {
      const result = await product.run(['approve', 'tb-104', line]);
      expect({ line, code: result.code, stdout: result.stdout }).toEqual({ line, code: 1, stdout: '' });
      expect(result.stderr.trimEnd().split('\n')).toHaveLength(2);
    }
    expect(files.map((path) => readFileSync(path))).toEqual(before);

    const line = recommendedLine(waiting);
    expect((await product.run(['approve', 'tb-104', line])).code).toBe(0);
    const again = await product.run(['approve', 'tb-104', line]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Test Operator approved|no gate waits/) as string,
    });
    const { state } = await product.show('tb-104');
    expect(state?.approvals).toMatchObject([
      {
        gate: 'development',
        line,
        token: '[START DEVELOPMENT]',
        operator: { name: 'Test Operator' },
        staleSince: null,
      },
    ]);
    expect(state?.decisions.map((d) => d.chosen)).toEqual(waiting.decisions.map((d) => d.recommended));
  });

  test('C092: a proposal that changed after it was shown is not approved', { timeout: 120_000 }, async () => {
    await using product = new Product();
    await product.demo(1);
    const waiting = await product.waitForRun('tb-101', 'to wait at gate 1', (row) => row.pendingToken !== null);
    const idea = join(waiting.dir, 'artifacts', 'idea.md');
    writeFileSync(idea, `${readFileSync(idea, 'utf8')}\nAnd one more thing.\n`);
    const refused = await product.run(['approve', 'tb-101', recommendedLine(waiting)]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/idea\.md|changed/) as string });
    const { state, gate } = await product.show('tb-101');
    expect(state?.approvals).toEqual([]);
    expect(gate?.round).toBe(2);
    await product.done(['approve', 'tb-101', recommendedLine(waiting), '--round', '2']);
  });

  test('C088: state.json edited by anybody but the engine stops the run, and restore brings the last vouched state back', {
    timeout: 120_000,
  }, async () => {
    await using product = new Product();
    await product.demo(1);
    const waiting = await product.waitForRun('tb-101', 'to wait at gate 1', (row) => row.pendingToken !== null);
    const path = join(waiting.dir, 'state.json');
    const file = JSON.parse(readFileSync(path, 'utf8')) as { state: { stage: string; gate: unknown } };
    file.state.stage = 'implement';
    file.state.gate = null;
    writeFileSync(path, JSON.stringify(file));
    const refused = await product.run(['approve', 'tb-101', recommendedLine(waiting)]);
    expect(refused.code).toBe(1);
    const halted = await product.waitForRun('tb-101', 'to show the state error', (row) => row.stage === 'halted');
    expect(halted).toMatchObject({ needsMe: true, halt: expect.stringContaining('state error') as string });
    await product.done(['restore', 'tb-101']);
    const back = await product.waitForRun('tb-101', 'to be back at the gate', (row) => row.pendingToken !== null);
    expect(back.stage).toBe('await-development');
    await product.done(['approve', 'tb-101', recommendedLine(back)]);
  });
});
