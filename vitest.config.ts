import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/**/fixtures/**'],
    // node-pty is not thread-safe, and a process of its own per file is what makes the leak check exact.
    pool: 'forks',
    maxWorkers: 2,
    // Real processes on a shared machine: once more in CI before a failure counts; every retry is in the report.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leak-check.ts'],
    reporters: ['default', './tools/summary-reporter.ts'],
    env: { NO_COLOR: '1', FORCE_COLOR: '0', TZ: 'UTC' },
  },
});
