import type { Fix } from '../fix.ts';
import { listedEvidence, sentence } from './diagnosis.ts';

/** `draft` counts from 1; from the second on the proposal answers what the operator has said. */
export function ideaText(fix: Fix, diagnosis: string, draft: number, feedback: string | null): string {
  const evidence = listedEvidence(diagnosis);
  const sources = evidence.filter(({ text }) => text.startsWith('`')).map(({ id }) => id);
  const runs = evidence.filter(({ id }) => !sources.includes(id)).map(({ id }) => id);
  const words = draft > 1 && fix.redraft !== undefined ? fix.redraft : fix;
  const wording =
    fix.userFacing === null
      ? ''
      : `
## Wording

Terminology: ${fix.userFacing.terminology}

${fix.userFacing.wordings.map((text) => `- "${text}"`).join('\n')}
`;
  return `# Proposal for ${fix.task}

User-facing: ${fix.userFacing === null ? 'no' : 'yes'}
Visible: ${fix.visible ? 'yes' : 'no'}

This is version ${draft} of the proposal.${feedback === null ? '' : ` It answers the operator's words: "${quoted(feedback)}"`}

How it is done: ${words.changes.join(' ')}

## Change

${fix.behaviours.map((each, index) => `- B${index + 1}: ${each.text} (${runs.join(', ')})`).join('\n')}

## Must stay

${words.keeps.map((each) => `- ${sentence(each)} (${sources.join(', ') || runs.join(', ')})`).join('\n')}

## Decisions

${decisions(fix)}

## Risks

- Scripts that rely on the wrong behaviour will see the right one
${wording}`;
}

function decisions(fix: Fix): string {
  if (fix.decisions.length === 0) return 'None';
  return fix.decisions
    .map(
      ({ id, question, options, recommended }) =>
        `### ${id}. ${question}\n\n${options.map((option) => `- ${option.id}: ${option.text}`).join('\n')}\n\nRecommended: ${recommended}, it surprises the fewest users`,
    )
    .join('\n\n');
}

/** Somebody else's words in one line, without anything that Markdown or a reader of artifacts would take for structure. */
function quoted(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/["`<>[\]#*_|]/g, "'")
    .slice(0, 400)
    .trim();
}
