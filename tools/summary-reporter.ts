// Counts what ran and leaves `dist/test-summary.json` behind, so that .ci/run can close with one line that is true.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
      }
      // A file that does not load, or a hook that throws, fails without failing any test.
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
    }
    // A run in which nothing passed proves nothing.
    if (passed === 0 && failed === 0) process.exitCode = 1;
    mkdirSync('dist', { recursive: true });
    writeFileSync('dist/test-summary.json', JSON.stringify({ passed, failed }));
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
