// `npm run test:cases [-- FILES]`: the cases known from practice at the size that they name, where `npm test` runs a
// smaller one. A file that has such a size imports test/support/case-size.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSteps } from './steps.ts';

const wanted = process.argv.slice(2);
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join('test', file))
  .filter((file) => readFileSync(file, 'utf8').includes('/case-size.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));

const ok = runSteps('test:cases', [
  { name: 'build', command: [process.execPath, 'tools/build.ts'] },
  {
    name: 'cases',
    command: ['vitest', 'run', '--testNamePattern', String.raw`C\d{3}`, ...files],
    env: { GATEHOUSE_CASES: 'full', GATEHOUSE_SUMMARY: 'add', GATEHOUSE_DIST_IS_FRESH: '1' },
  },
]);
process.exitCode = ok ? 0 : 1;
