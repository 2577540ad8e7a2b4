import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Fix, lineOf } from '../fix.ts';

export interface PlannedFiles {
  readonly code: readonly string[];
  readonly tests: readonly string[];
}

export function findingsText(root: string, fix: Fix, files: PlannedFiles): string {
  const read = [...new Set([...files.code, ...fix.inspect.map((each) => each.file)])].filter((file) =>
    existsSync(join(root, file)),
  );
  const means = (file: string): string => fix.inspect.find((each) => each.file === file)?.means ?? 'changes with it';
  const calls = callSites(root, files.code);
  const tests = testsOf(root, files.code);
  return `# Findings

## Files read

${read.map((file) => `- ${file}: ${means(file)}`).join('\n')}

## Call sites

${calls.length === 0 ? 'None' : calls.map(({ file, line, name }) => `- \`${file}:${line}\` imports ${name}`).join('\n')}

## Tests

${tests.length === 0 ? 'None' : tests.map((file) => `- ${file}: imports what changes, and does not look at this case`).join('\n')}

## Conventions

- A fix comes with a test file of its own (AGENTS.md)
- Two spaces, single quotes, no dependencies (AGENTS.md)
`;
}

export function planText(fix: Fix, files: PlannedFiles, testCommand: string): string {
  return `# Plan

## Files

${files.code.map((file) => `- ${file}: ${fix.changes[0] ?? fix.summary}`).join('\n')}
${files.tests.map((file) => `- ${file}: new, fails without the fix`).join('\n')}

## Steps

1. Add the test and see it fail
2. Change the code
3. Run all tests

## Verification

${fix.behaviours.map((each, index) => `- B${index + 1}: ${each.text}, shown by the command itself`).join('\n')}
- Tests: \`${testCommand}\`
`;
}

function callSites(root: string, code: readonly string[]): { file: string; line: number; name: string }[] {
  const names = code.map((file) => basename(file));
  return sources(root, 'src').flatMap((file) =>
    names.flatMap((name) => {
      const line = code.includes(file) ? 0 : lineOf(root, file, `/${name}'`);
      return line === 0 ? [] : [{ file, line, name }];
    }),
  );
}

function testsOf(root: string, code: readonly string[]): string[] {
  const names = code.map((file) => `/${basename(file)}'`);
  return sources(root, 'test').filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return names.some((name) => text.includes(name));
  });
}

function sources(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.js'))
    .toSorted();
}
