// `npm run check`: everything that can be said about the code without running it.
import { runSteps } from './steps.ts';

const ok = runSteps(
  'check',
  [
    { name: 'format', command: ['biome', 'format', '.'] },
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
    { name: 'types', command: ['tsc', '--pretty', 'false', '-p', 'tsconfig.test.json'] },
    // Files, packages and exports that nothing uses yet: `npm run knip:full`, `npm run knip:exports`.
    { name: 'dependencies', command: ['knip', '--no-config-hints', '--include', 'unlisted,unresolved,binaries'] },
  ],
  { keepGoing: true },
);
process.exitCode = ok ? 0 : 1;
