// Bad input gets one line that says what is wrong, one that says what to do, an exit code, and changes nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Product } from './product.ts';

const task = '---\nid: T-1\ntitle: A bug\nlabels: []\npriority: normal\n---\nIt does not work.\n';

describe('bad input', () => {
  test.each([
    ['an unknown run', ['show', 'nowhere'], 1, /there is no run nowhere/, /gatehouse ls/],
    [
      'an approval for an unknown run',
      ['approve', 'nowhere', '[START DEVELOPMENT]'],
      1,
      /there is no run nowhere/,
      /gatehouse ls/,
    ],
    ['an unknown command', ['frobnicate'], 2, /unknown command/, /--help/],
    ['a missing argument', ['approve'], 2, /missing required argument/, /--help/],
    ['a task file that is not there', ['start', '/nowhere.md', '--repo', '/'], 1, /no such file/, /task file/],
    ['a console without a terminal', [], 1, /not a terminal/, /gatehouse ls/],
    ['a recording that is not there', ['replay', 'nowhere'], 1, /neither a run/, /gatehouse ls/],
    ['an unknown verb of host', ['host', 'dance'], 2, /host knows no dance/, /status/],
  ])('%s', async (_name, args, code, wrong, todo) => {
    await using product = new Product();
    const result = await product.run(args);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(wrong);
    expect(result.stderr).toMatch(todo);
    expect(result.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });

  test.each([
    ['without front matter', 'just text', /front matter/],
    ['without an id', '---\ntitle: x\n---\ntext', /id/],
    ['with an unknown priority', '---\nid: T-1\ntitle: x\npriority: asap\n---\ntext', /priority/],
    ['without a description', '---\nid: T-1\ntitle: x\n---\n', /description/],
    ['with an id that is a path', '---\nid: ../T-1\ntitle: x\n---\ntext', /id/],
  ])('a task file %s', async (_name, text, wrong) => {
    await using product = new Product();
    const repo = repository(product, { commits: true });
    const result = await product.run(['start', '-', '--repo', repo, '--runtime', 'scripted'], text);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(wrong) as string });
    expect(await product.list()).toEqual([]);
  });

  test.each([
    ['that is none', (product: Product) => product.home.root, /not a git repository/i],
    ['without commits', (product: Product) => repository(product, { commits: false }), /commit/],
    [
      'with a dirty tree',
      (product: Product) => repository(product, { commits: true, dirty: true }),
      /uncommitted|not clean|dirty/,
    ],
    [
      'without a test command',
      (product: Product) => repository(product, { commits: true, policy: false }),
      /test command/,
    ],
  ])('a repository %s', async (_name, make, wrong) => {
    await using product = new Product();
    const result = await product.run(['start', '-', '--repo', make(product), '--runtime', 'scripted'], task);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(wrong) as string });
    expect(await product.list()).toEqual([]);
  });

  test('a config.json that does not parse is named and left as it is', async () => {
    await using product = new Product();
    mkdirSync(product.home.gatehouseHome, { recursive: true });
    writeFileSync(join(product.home.gatehouseHome, 'config.json'), '{ "sandbox": "perhaps" }');
    expect(await product.run(['ls'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/config\.json: sandbox/) as string,
    });
  });

  test('a second host of a home leaves at once and the first one stays', async () => {
    await using product = new Product();
    const before = JSON.parse(await product.done(['ls', '--json'])) as unknown[];
    const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
    execFileSync(
      process.execPath,
      [join(import.meta.dirname, '../../dist/host/main.js'), '--home', product.home.gatehouseHome],
      { env: product.home.env },
    );
    expect(JSON.parse(await product.done(['host', 'status', '--json']))).toMatchObject({ pid });
    expect(before).toEqual([]);
  });
});

function repository(product: Product, options: { commits: boolean; dirty?: boolean; policy?: boolean }): string {
  const dir = join(product.home.root, 'repo');
  mkdirSync(dir);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, env: product.home.env });
  git('init', '-q');
  writeFileSync(join(dir, 'a.txt'), 'a\n');
  if (options.policy !== false) writeFileSync(join(dir, 'gatehouse.json'), '{ "testCommand": "true" }\n');
  if (options.commits) {
    git('add', '-A');
    git('commit', '-qm', 'first');
  }
  if (options.dirty === true) writeFileSync(join(dir, 'a.txt'), 'b\n');
  return dir;
}
