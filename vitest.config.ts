import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/**/fixtures/**'],
    // node-pty is not thread-safe, and a process of its own per file is what makes the leak check exact.
    pool: 'forks',
    maxWorkers: 2,
    // More than test/support/wait-for.ts waits, so that what was waited for is named.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leak-check.ts'],
    reporters: ['default', './tools/summary-reporter.ts'],
    env: { NO_COLOR: '1', FORCE_COLOR: '0', TZ: 'UTC' },
  },
});
