// The text that an operator's key signs: everything an approval binds, in one exact form. Both sides make it from what
// they know; nobody parses it.
import type { GateName } from './stage.ts';
import type { Subject } from './state.ts';

/** The namespace of ssh-keygen -Y: a signature made for anything else is none here. */
export const approvalNamespace = 'gatehouse-approval';

export interface ApprovalFacts {
  readonly run: string;
  readonly gate: GateName;
  readonly round: number;
  readonly line: string;
  readonly subject: Subject;
}

/** One fact a line; texts as JSON strings, so that none of them can pretend to be another line. Files in order of their paths. */
export function approvalPayload({ run, gate, round, line, subject }: ApprovalFacts): string {
  const files = subject.files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return [
    'gatehouse approval 1',
    `run ${JSON.stringify(run)}`,
    `gate ${gate}`,
    `round ${round}`,
    `line ${JSON.stringify(line)}`,
    `tree ${subject.tree ?? 'none'}`,
    ...files.map((file) => `file ${file.sha256} ${JSON.stringify(file.path)}`),
    '',
  ].join('\n');
}
