// ship-summary.md: the testing package in words, made by the engine from facts. Deterministic: the same facts give the same
// bytes. Whatever an agent or a repository wrote is escaped, so that it cannot add a heading, a row or a link of its own.
import type { Decision } from '../core/decision.ts';
import { code, codeCell, inline, table } from './markdown-text.ts';

/** More than a person reads; those below folders of the product come first. */
const shownIgnored = 20;

export interface ShipFacts {
  readonly run: string;
  readonly task: {
    readonly id: string;
    readonly title: string;
    readonly priority: string;
    readonly labels: readonly string[];
  };
  /** The problem as diagnosis.md sums it up. */
  readonly problem: string;
  /** Changed behaviours as approved, with the evidence that shows them. */
  readonly changes: readonly { readonly id: string; readonly text: string; readonly evidence: readonly string[] }[];
  readonly decisions: readonly (Decision & { readonly chosenBy: string | null; readonly chosenAt: string | null })[];
  readonly approvals: readonly { readonly gate: string; readonly operator: string; readonly time: string }[];
  readonly ownDecisions: readonly { readonly text: string; readonly from: string }[];
  readonly diff: {
    readonly baselineBranch: string;
    readonly baselineCommit: string;
    /** `added` and `removed` are null for binary files. */
    readonly files: readonly {
      readonly path: string;
      readonly added: number | null;
      readonly removed: number | null;
    }[];
  };
  readonly tests: readonly {
    readonly evidence: string;
    readonly command: string;
    readonly exitCode: number | null;
    readonly durationMs: number | null;
  }[];
  /** Ignored files and folders that were there when the tests ran and are not delivered. */
  readonly ignored: readonly { readonly path: string; readonly belowTracked: boolean }[];
  readonly evidence: readonly {
    readonly id: string;
    readonly kind: string;
    readonly stage: string;
    /** Command, place or file name. */
    readonly what: string;
    readonly exitCode: number | null;
    readonly sha256: string | null;
  }[];
  readonly images: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly reviews: readonly {
    readonly round: number;
    readonly verdict: string;
    readonly blocking: number;
    readonly advisory: number;
    readonly tree: string;
  }[];
  readonly limits: readonly string[];
  readonly previewUrl: string | null;
  readonly reviewBranch: string;
  readonly reviewCommit: string | null;
  readonly compareLink: string | null;
  /** The tree that was reviewed, verified and is offered. */
  readonly tree: string;
  readonly delivery: {
    readonly finalCommit: string;
    readonly mergeCommit: string | null;
    readonly branch: string;
    readonly taskStatus: string;
    readonly time: string;
  } | null;
}

export function assembleShipSummary(facts: ShipFacts): string {
  const parts = [
    `# ${inline(`${facts.task.id}: ${facts.task.title}`)}`,
    overview(facts),
    section('Problem', [inline(facts.problem) || 'None']),
    section(
      'What changed',
      bullets(facts.changes, ({ id, text, evidence }) => `${inline(`${id}: ${text}`)}${shownBy(evidence)}`),
    ),
    section('Decisions', bullets(facts.decisions, decisionLine)),
    section(
      'Approvals',
      bullets(facts.approvals, (a) => `${inline(a.gate)}: ${inline(a.operator)}, ${inline(a.time)}`),
    ),
    section(
      'Decisions the agent took on its own',
      bullets(facts.ownDecisions, (d) => `${inline(d.text)} (${inline(d.from)})`),
    ),
    section('Diff', diffLines(facts)),
    section('Tests', bullets(facts.tests, testLine)),
    section('Not delivered', ignoredLines(facts)),
    section(
      'Evidence',
      table(
        ['id', 'kind', 'stage', 'what', 'exit', 'sha256'],
        facts.evidence.map((e) => [
          inline(e.id),
          inline(e.kind),
          inline(e.stage),
          codeCell(e.what),
          e.exitCode === null ? '' : String(e.exitCode),
          e.sha256 === null ? '' : code(e.sha256.slice(0, 12)),
        ]),
      ),
    ),
    section(
      'Images',
      bullets(facts.images, (i) => `${inline(i.name)}: before ${inline(i.before)}, after ${inline(i.after)}`),
    ),
    section(
      'Reviews',
      table(
        ['round', 'verdict', 'blocking', 'advisory', 'tree'],
        facts.reviews.map((r) => [
          String(r.round),
          inline(r.verdict),
          String(r.blocking),
          String(r.advisory),
          code(r.tree.slice(0, 12)),
        ]),
      ),
    ),
    section('Limits', bullets(facts.limits, inline)),
    section('Delivery', deliveryLines(facts)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function overview(facts: ShipFacts): string {
  return [
    `- Run: ${code(facts.run)}`,
    `- Priority: ${inline(facts.task.priority)}`,
    `- Labels: ${facts.task.labels.map(inline).join(', ') || 'None'}`,
    `- Review branch: ${code(facts.reviewBranch)}${facts.reviewCommit === null ? '' : ` at ${code(facts.reviewCommit)}`}`,
    `- Compare: ${address(facts.compareLink)}`,
    `- Preview: ${address(facts.previewUrl)}`,
    `- Tree: ${code(facts.tree)}`,
  ].join('\n');
}

function diffLines(facts: ShipFacts): string[] {
  const { files, baselineBranch, baselineCommit } = facts.diff;
  const sum = (side: 'added' | 'removed'): number => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  const count = `${files.length} file${files.length === 1 ? '' : 's'}, +${sum('added')} -${sum('removed')}`;
  return [
    `${count} against ${code(baselineBranch)} at ${code(baselineCommit)}`,
    '',
    ...table(
      ['file', 'added', 'removed'],
      files.map((f) => [
        codeCell(f.path),
        f.added === null ? 'binary' : `+${f.added}`,
        f.removed === null ? '' : `-${f.removed}`,
      ]),
    ),
  ];
}

function decisionLine(decision: ShipFacts['decisions'][number]): string {
  const chosen = decision.options.find((o) => o.id === decision.chosen);
  const answer = chosen === undefined ? 'open' : `${chosen.id}: ${chosen.text}`;
  const who =
    decision.chosenBy === null
      ? ''
      : `, chosen by ${decision.chosenBy}${decision.chosenAt === null ? '' : ` at ${decision.chosenAt}`}`;
  const advice =
    decision.chosen === decision.recommended ? 'as recommended' : `recommended was ${decision.recommended}`;
  return inline(`${decision.id}. ${decision.question} ${answer}${who} (${advice})`);
}

function testLine(test: ShipFacts['tests'][number]): string {
  const seconds = test.durationMs === null ? '' : `, ${(test.durationMs / 1000).toFixed(1)} s`;
  return `${inline(test.evidence)}: ${code(test.command)} ended with exit code ${test.exitCode ?? 'none'}${seconds}`;
}

/** A test that passes only beside one of these fails for everybody else. */
function ignoredLines({ ignored }: ShipFacts): string[] {
  if (ignored.length === 0) return ['None'];
  const lines = ignored
    .slice(0, shownIgnored)
    .map(({ path, belowTracked }) => `- ${code(path)}${belowTracked ? ', below a folder of the product' : ''}`);
  const more = ignored.length - lines.length;
  return [
    'Git ignores these files of the worktree; the tests ran beside them.',
    '',
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

function deliveryLines(facts: ShipFacts): string[] {
  const delivery = facts.delivery;
  if (delivery === null) return ['Not delivered yet.'];
  return [
    `- Final commit: ${code(delivery.finalCommit)}`,
    `- Merge commit: ${delivery.mergeCommit === null ? 'None (fast-forward)' : code(delivery.mergeCommit)}`,
    `- Branch: ${code(delivery.branch)}`,
    `- Task status: ${inline(delivery.taskStatus)}`,
    `- Time: ${inline(delivery.time)}`,
  ];
}

function shownBy(evidence: readonly string[]): string {
  return evidence.length === 0 ? '' : ` -> ${evidence.map(inline).join(', ')}`;
}

function address(url: string | null): string {
  if (url === null) return 'None';
  return /^https?:\/\/[^\s<>]+$/.test(url) ? `<${url}>` : code(url);
}

function bullets<T>(values: readonly T[], line: (value: T) => string): string[] {
  return values.length === 0 ? ['None'] : values.map((value) => `- ${line(value)}`);
}

function section(heading: string, lines: readonly string[]): string {
  return `## ${heading}\n\n${lines.length === 0 ? 'None' : lines.join('\n')}`;
}
