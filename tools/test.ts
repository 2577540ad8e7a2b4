// `npm test`: build, check, every test. Arguments go to vitest.
import { runSteps } from './steps.ts';

const ok = runSteps('test', [
  { name: 'build', command: [process.execPath, 'tools/build.ts'] },
  { name: 'check', command: [process.execPath, 'tools/check.ts'] },
  {
    name: 'tests',
    command: ['vitest', 'run', ...process.argv.slice(2)],
    env: { GATEHOUSE_DIST_IS_FRESH: '1' },
  },
]);
process.exitCode = ok ? 0 : 1;
