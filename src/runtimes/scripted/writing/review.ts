export interface ReviewFinding {
  readonly question: keyof typeof questions;
  readonly title: string;
  /** `path:line` */
  readonly place: string;
  readonly text: string;
}

export interface Review {
  readonly tree: string;
  readonly changed: readonly string[];
  readonly findings: readonly ReviewFinding[];
}

/** Question -> the answer that is bad, and what is said when all is well. */
const questions = {
  'Root cause': {
    good: 'yes',
    bad: 'no',
    fine: 'The lines that the diagnosis names are changed, and the commands of the report show the right behaviour.',
  },
  'Call sites': {
    good: 'yes',
    bad: 'no',
    fine: 'Every caller gets the new behaviour; none needs a change of its own that is missing.',
  },
  Tests: { good: 'yes', bad: 'no', fine: 'A test file of its own covers the case and fails without the fix.' },
  'Obsolete paths': { good: 'no', bad: 'yes', fine: 'Nothing is left that nobody uses any more.' },
  'Unrelated changes': { good: 'no', bad: 'yes', fine: 'Each changed file belongs to the task.' },
} as const;

export function reviewText({ tree, changed, findings }: Review): string {
  const files = changed.map((file) => `\`${file}\``).join(', ') || '`README.md`';
  const answers = Object.entries(questions).map(([question, { good, bad, fine }]) => {
    const own = findings.flatMap((finding, index) => (finding.question === question ? [`F${index + 1}`] : []));
    return `### ${question}\n\nAnswer: ${own.length === 0 ? good : bad}\nFiles: ${files}\n\n${own.length === 0 ? fine : `See ${own.join(', ')}.`}`;
  });
  const list = findings.map(
    (finding, index) => `### F${index + 1} blocking: ${finding.title}\n\n\`${finding.place}\`: ${finding.text}`,
  );
  return `# Review

Tree: ${tree}
Verdict: ${findings.length === 0 ? 'pass' : 'blocked'}

## Answers

${answers.join('\n\n')}

## Findings

${list.length === 0 ? 'None' : list.join('\n\n')}
`;
}

export function patchNotesText(findings: readonly string[], files: readonly string[], what: string): string {
  return `# Patch notes

## Answers

${findings.map((id) => `### ${id}\n\nFiles: ${files.join(', ')}\n\n${what}`).join('\n\n')}

## Decisions taken

None
`;
}
