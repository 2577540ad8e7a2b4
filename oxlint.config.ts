import { defineConfig } from 'oxlint';
import { folderRules, restrictedPatterns } from './tools/import-rules.ts';

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'vitest'],
  categories: { correctness: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['dist', 'coverage', 'node_modules', 'src/demo/sample', 'sessions'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/extensions': 'off',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'max-lines': ['error', { max: 400 }],
    'no-debugger': 'error',
    eqeqeq: 'error',
    'react/rules-of-hooks': 'error',
    // Waiting for a screen or a socket is an assertion too.
    'vitest/expect-expect': 'off',
    // `return promise` in a scope with `await using` disposes before the promise is done.
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
  },
  overrides: [
    // Escape sequences are this product's trade.
    { files: ['**'], rules: { 'no-control-regex': 'off' } },
    // These tools load a file by its default export.
    { files: ['*.config.ts', 'tools/summary-reporter.ts'], rules: { 'import/no-default-export': 'off' } },
    ...Object.keys(folderRules).map((folder) => ({
      files: [`src/${folder}/**`],
      rules: { 'no-restricted-imports': ['error', { patterns: restrictedPatterns(folder) }] as ['error', object] },
    })),
  ],
});
