// The whole product without a console: twelve runs of the demo, decided by commands only.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/run.ts';
import { waitFor } from '../support/wait-for.ts';
import { Product, recommendedLine } from './product.ts';

const isOver = (row: RunSummary) => row.stage === 'ready-for-testing' || row.stage === 'halted';

describe('gatehouse demo --no-ui', () => {
  test('twelve runs: those that should end do, six reviews halt one, misbehaviour stops another', {
    timeout: 600_000,
  }, async () => {
    await using product = new Product();
    expect(await product.demo(12)).toHaveLength(12);
    const sentBack = new Set<string>();
    const decided: string[] = [];

    const rows = await waitFor(
      async () => {
        const now = await product.list();
        for (const row of now) {
          if (row.pendingToken === null) continue;
          // One run wants to be sent back once before it is approved.
          if (row.id === 'tb-110' && !sentBack.has(row.id)) {
            sentBack.add(row.id);
            await product.done(['feedback', row.id, 'Keep the old order for ties.']);
            continue;
          }
          if ((await product.run(['approve', row.id, recommendedLine(row)])).code === 0)
            decided.push(`${row.id} ${row.pendingToken}`);
        }
        return now.every(isOver) ? now : undefined;
      },
      { what: 'all twelve runs to be over', timeoutMs: 580_000, intervalMs: 500 },
    );

    const halted = rows.filter((row) => row.stage === 'halted');
    expect(Object.fromEntries(halted.map((row) => [row.id, row.halt]))).toEqual({
      'tb-108': expect.stringContaining('review cap reached') as string,
      'tb-111': expect.stringMatching(/./) as string,
    });
    expect(rows.find((row) => row.id === 'tb-108')).toMatchObject({
      reviewCount: 6,
      reviewLimit: 6,
      stageNumber: 6,
      needsMe: true,
    });
    // Each that ended was approved exactly twice; the redrafted one too.
    for (const row of rows.filter((each) => each.stage === 'ready-for-testing')) {
      expect(decided.filter((line) => line.startsWith(`${row.id} `))).toEqual([
        `${row.id} [START DEVELOPMENT]`,
        `${row.id} [SUBMIT FOR TESTING]`,
      ]);
    }

    const text = await product.done(['show', 'tb-101', '--pull-request']);
    expect(text).toMatch(/^TB-101: The "Clear build cache" dialog[^\n]*\n\n# /);
    expect(text).toContain('## Tests');

    const origin = join(product.home.gatehouseHome, 'demo', 'origin.git');
    const merged = git(origin, 'log', '--merges', '--format=%s', 'develop');
    for (const row of rows)
      expect(merged.includes(row.task.id), `${row.id} on develop`).toBe(row.stage === 'ready-for-testing');
    // The product's own tests pass on what came together there.
    const checkout = join(product.home.root, 'checkout');
    git(product.home.root, 'clone', '-q', '-b', 'develop', origin, checkout);
    execFileSync('npm', ['test', '--silent'], { cwd: checkout, env: product.home.env, stdio: 'pipe' });
  });
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
