// `npm run test:runtimes [-- claude codex ...]`: takes the pinned agent programs through the whole workflow, with a
// model that is scripted. Without them, and without CI=true, it says what is missing and passes.
import { installPrograms, programFolder, runtimeCache } from '../test/runtimes/lab/programs.ts';
import { runSteps } from './steps.ts';

const names = process.argv.slice(2);
const missing = await installPrograms((line) => process.stdout.write(`test:runtimes: ${line}\n`));
if (missing !== null) {
  const inCi = process.env['CI'] === 'true';
  process.stdout.write(`test:runtimes: ${inCi ? 'FAILED' : 'skipped'}: ${missing}\n`);
  process.stdout.write(`test:runtimes: the programs belong into ${runtimeCache} (GATEHOUSE_RUNTIME_CACHE)\n`);
  process.exitCode = inCi ? 1 : 0;
} else {
  process.stdout.write(`test:runtimes: programs in ${programFolder}\n`);
  const ok = runSteps('test:runtimes', [
    { name: 'build', command: [process.execPath, 'tools/build.ts'] },
    {
      name: 'real programs',
      command: [
        'vitest',
        'run',
        '--config',
        'test/runtimes/real/vitest.config.ts',
        ...names.map((name) => `${name}.real`),
      ],
      env: { GATEHOUSE_SUMMARY: 'add' },
    },
  ]);
  process.exitCode = ok ? 0 : 1;
}
