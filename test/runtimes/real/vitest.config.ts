// The tests on real agent programs: slow, heavy, and started by `npm run test:runtimes` alone.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    include: ['test/runtimes/real/*.real.ts'],
    pool: 'forks',
    // Each program takes up to a gigabyte and a core while it starts.
    maxWorkers: 2,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    setupFiles: ['test/support/leak-check.ts'],
    reporters: ['default', './tools/summary-reporter.ts'],
    env: { NO_COLOR: '1', FORCE_COLOR: '0' },
  },
});
