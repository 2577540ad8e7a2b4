export interface Shown {
  readonly text: string;
  readonly evidence: readonly string[];
  /** What is wrong with it; empty when it is as promised. */
  readonly wrong: readonly string[];
}

export interface Verification {
  readonly behaviours: readonly Shown[];
  readonly tests: { readonly command: string; readonly id: string; readonly code: number | null };
  readonly images: readonly { readonly pair: string; readonly before: string; readonly after: string }[];
  /** Where a failure is to be looked for, `path:line`. */
  readonly place: string;
}

export function verificationPassed({ behaviours, tests }: Verification): boolean {
  return tests.code === 0 && behaviours.every(({ wrong }) => wrong.length === 0);
}

export function verificationText(verification: Verification): string {
  const { behaviours, tests, images, place } = verification;
  const passed = verificationPassed(verification);
  const failures = behaviours
    .map((each, index) => ({ ...each, name: `B${index + 1}` }))
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ name, text, wrong }) => ({ title: `${name} is not so: ${text}`, why: wrong.join('; ') }));
  if (tests.code !== 0)
    failures.push({ title: 'the declared tests fail', why: `${tests.command} ended with ${tests.code}` });
  return `# Verification

Result: ${passed ? 'pass' : 'fail'}
Preview: None

## Behaviours

${behaviours.map(({ text, evidence }, index) => `- B${index + 1}: ${text} -> ${evidence.join(', ')}`).join('\n')}

## Tests

The declared command \`${tests.command}\` ended with exit code ${tests.code ?? 'none'} (${tests.id}).

## Images

${images.length === 0 ? 'None' : images.map(({ pair, before, after }) => `- ${pair}: ${before} -> ${after}`).join('\n')}

## Decisions taken

None

## Limits

Only the commands above were run; other platforms were not tried.
${
  passed
    ? ''
    : `
## Failures

${failures.map(({ title, why }, index) => `### V${index + 1} blocking: ${title.replaceAll('`', '')}\n\n\`${place}\`: the output ${why.replaceAll('`', "'")}`).join('\n\n')}
`
}`;
}
