// Artifacts that satisfy their contracts, about the one bug of the tiny repository.
import { crc32, deflateSync } from 'node:zlib';

export function diagnosis(seen: string, lines: string): string {
  return `# Diagnosis

## Summary

\`add\` subtracts.

## Reproduction

It runs (${seen}).

## Evidence

- ${seen}: the product runs
- ${lines}: the line

## Root cause

A minus in \`src/add.js:2\` (${lines}).

## Affected places

- src/add.js: the function
`;
}

export interface IdeaWords {
  readonly change: string;
  readonly decisions: string;
}

export function idea(words: Partial<IdeaWords> = {}): string {
  return `# Proposal

User-facing: no
Visible: no

## Change

- B1: ${words.change ?? 'add adds'} (E1)

## Must stay

- the export of index.js (E2)

## Decisions

${
  words.decisions ??
  `### 1. Is a test added?

- A: No
- B: Yes

Recommended: A`
}

## Risks

None
`;
}

export const findings = `# Findings

## Files read

- src/add.js: the function

## Call sites

- \`src/index.js:1\` exports it

## Tests

- test/add.test.js: only zero

## Conventions

- plain functions
`;

export const plan = `# Plan

## Files

- src/add.js: plus

## Steps

1. Put a plus

## Verification

- B1: run it
`;

export function report(tree: string, blocking: readonly string[], files: readonly string[]): string {
  const listed = ['src/add.js', ...files].join(', ');
  const answer = (heading: string, value: string) =>
    `### ${heading}\n\nAnswer: ${value}\nFiles: ${listed}\n\nLooked at it.\n`;
  const found = blocking.map((id) => `### ${id} blocking: not right\n\n\`src/add.js:2\` is wrong for large numbers.\n`);
  return `# Review

Tree: ${tree}
Verdict: ${blocking.length === 0 ? 'pass' : 'blocked'}

## Answers

${[answer('Root cause', 'yes'), answer('Call sites', 'yes'), answer('Tests', 'yes'), answer('Obsolete paths', 'no'), answer('Unrelated changes', 'no')].join('\n')}
## Findings

${found.length === 0 ? 'None\n' : found.join('\n')}`;
}

export function patchNotes(ids: readonly string[]): string {
  const answers = ids.map((id) => `### ${id}\n\nFiles: src/add.js\n\nMended as the finding says.\n`).join('\n');
  return `# Patch\n\n## Answers\n\n${answers}\n## Decisions taken\n\nNone\n`;
}

export function verification(tests: string, shown: string, result: 'pass' | 'fail' = 'pass'): string {
  const failures =
    result === 'pass' ? '' : '\n## Failures\n\n### V1 blocking: wrong\n\n`src/add.js:2` gives the wrong sum.\n';
  return `# Verification

Result: ${result}
Preview: None

## Behaviours

- B1: add adds -> ${shown}

## Tests

Run as declared (${tests}).

## Images

None

## Decisions taken

- kept the name

## Limits

None
${failures}`;
}

/** A small but whole PNG. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(checked));
    return Buffer.concat([length, checked, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(2, 9);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * height));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}
