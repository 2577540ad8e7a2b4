// Counts what ran and leaves `dist/test-summary.json` behind, so that .ci/run can close with one line that is true.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

const summaryFile = 'dist/test-summary.json';

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
    // A further run of the same check counts on where the one before ended.
    const before = process.env['GATEHOUSE_SUMMARY'] === 'add' ? readSummary() : { passed: 0, failed: 0 };
    const sum = { passed: passed + before.passed, failed: failed + before.failed };
    writeFileSync(summaryFile, JSON.stringify(sum));
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}

function readSummary(): { passed: number; failed: number } {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8')) as { passed: number; failed: number };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
