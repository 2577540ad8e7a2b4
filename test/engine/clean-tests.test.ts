// What git ignores is not delivered: a test that passes only beside it must not go unnoticed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { tinyFiles, writeIn } from '../support/tiny-repository.ts';
import { agent, type Made, startRun, stateOf } from './agent.ts';

vi.setConfig({ testTimeout: 120_000 });

let made: Made;
afterEach(() => made.done());

const policy = {
  testCommand: 'node test/add.test.js',
  branches: { urgent: 'main', high: 'staging', integration: 'develop' },
  developmentBranch: 'develop',
};
const files = {
  ...tinyFiles,
  'test/add.test.js': `import { readFileSync } from 'node:fs';\n${tinyFiles['test/add.test.js']}readFileSync('src/out/built');\n`,
  'build.sh': 'mkdir -p src/out && echo built >src/out/built\n',
};

async function toGate2(setupCommand: string | null) {
  made = await startRun({ files, policy: { ...policy, setupCommand } });
  writeIn(made.paths.worktree, 'src/out/built', 'by hand\n');
  writeIn(made.paths.worktree, 'node_modules/dep/index.js', 'installed\n');
  const worker = agent(made);
  await worker.toGate2();
  return worker;
}

it('the testing package names what is ignored, what lies below the product first', async () => {
  await toGate2(null);
  const summary = readFileSync(join(made.paths.artifacts, 'ship-summary.md'), 'utf8');
  const section = summary.slice(summary.indexOf('## Not delivered'), summary.indexOf('## Evidence'));
  expect(section.match(/^- .*$/gm)).toEqual(['- `src/out/`, below a folder of the product', '- `node_modules/`']);
});

it('with a setup command the tests run once more before delivery, in a clean checkout', async () => {
  const worker = await toGate2('true');
  await worker.approve('[SUBMIT FOR TESTING]');
  await made.engine.settled();
  expect(stateOf(made.engine)).toMatchObject({
    stage: 'halted',
    halt: { code: 'delivery-failed', reason: expect.stringContaining('src/out/built') },
  });
});

it('delivers when the setup command makes what the tests need', async () => {
  const worker = await toGate2('sh build.sh');
  await worker.approve('[SUBMIT FOR TESTING]');
  await made.engine.settled();
  expect(stateOf(made.engine).stage).toBe('ready-for-testing');
});

it('names a setup command that fails', async () => {
  const worker = await toGate2('echo no network; exit 3');
  await worker.approve('[SUBMIT FOR TESTING]');
  await made.engine.settled();
  expect(stateOf(made.engine).halt?.reason).toContain('the setup command ended with exit code 3: no network');
});
