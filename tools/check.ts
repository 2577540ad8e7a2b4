// `npm run check`: everything that can be said about the code without running it.
import { runSteps } from './steps.ts';

const ok = runSteps(
  'check',
  [
    { name: 'format', command: ['biome', 'format', '.'] },
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
    { name: 'types', command: ['tsc', '--pretty', 'false', '-p', 'tsconfig.test.json'] },
    { name: 'dead code', command: ['knip', '--no-config-hints'] },
  ],
  { keepGoing: true },
);
process.exitCode = ok ? 0 : 1;
