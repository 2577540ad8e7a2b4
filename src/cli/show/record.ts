// What was produced and decided so far: approvals, artifacts, evidence, reviews, delivery.
import { deliveryFacts } from '../../core/delivery-facts.ts';
import type { RunDetail } from '../../core/run.ts';
import type { Approval, Evidence, ReviewRound } from '../../core/state.ts';
import { type Section, type View, clock, indent, inert, rows, short, size, when } from './section.ts';

export function approvals(run: RunDetail, view: View): Section | null {
  const list = run.state?.approvals ?? [];
  return section(
    'Approvals',
    list.flatMap((approval) => approvalLines(approval, view)),
  );
}

function approvalLines(approval: Approval, { paint, now }: View): string[] {
  const { operator, staleSince } = approval;
  const force = staleSince === null ? paint.green('in force') : paint.red(`stale since ${clock(staleSince)}`);
  const at = operator.tty === null ? operator.user : `${operator.user} at ${operator.tty}`;
  const signed = operator.signature === null ? 'not signed' : `signed as ${operator.signature.principal}`;
  const hashes = approval.subject.files.map((file) => [inert(file.path), file.sha256]);
  if (approval.subject.tree !== null) hashes.push(['tree', approval.subject.tree]);
  return [
    `${approval.gate}, round ${approval.round}: ${force}`,
    ...indent([
      `${inert(operator.name)} (${inert(at)}), ${when(approval.time, now)}, ${inert(signed)}`,
      inert(approval.line),
      ...rows(hashes),
    ]),
  ];
}

export function artifacts(run: RunDetail, { paint }: View): Section | null {
  const stages = new Map(run.state?.artifacts.map((each) => [each.name as string, each]));
  const cells = run.artifacts.map((each) => {
    const record = stages.get(each.name);
    const same = each.recorded === 'same';
    return [
      inert(each.name),
      short(each.sha256),
      size(each.sizeBytes),
      same ? 'as recorded' : paint.red(each.recorded),
      record === undefined ? '' : `${record.stage}, ${clock(record.time)}`,
    ];
  });
  return section('Artifacts', rows(cells));
}

export function evidence(run: RunDetail, view: View): Section | null {
  const list = run.state?.evidence ?? [];
  if (list.length === 0) return null;
  const header = ['ID', 'KIND', 'STAGE', 'RESULT', 'TREE', 'TIME', 'WHAT'].map(view.paint.dim);
  return section('Evidence', rows([header, ...list.map((each) => evidenceCells(each, view))]));
}

function evidenceCells(each: Evidence, { paint }: View): string[] {
  const what = each.command ?? each.origin ?? each.file ?? '';
  const pair = each.pair === null ? '' : ` (${each.pair.side}: ${each.pair.name})`;
  const image = each.image === null ? '' : ` ${each.image.width}x${each.image.height}`;
  return [
    each.id,
    each.declaredTest ? 'tests' : each.kind,
    each.stage,
    resultOf(each, paint.red),
    short(each.tree),
    clock(each.time),
    inert(`${what}${image}${pair}`, 120),
  ];
}

function resultOf(each: Evidence, bad: (text: string) => string): string {
  if (each.kind !== 'command') return size(each.sizeBytes);
  if (each.exitCode === null) return bad('no exit');
  return each.exitCode === 0 ? 'exit 0' : bad(`exit ${each.exitCode}`);
}

export function reviews(run: RunDetail, view: View): Section | null {
  const list = run.state?.reviews.rounds ?? [];
  return section(
    'Reviews',
    list.flatMap((round) => reviewLines(round, view)),
  );
}

function reviewLines(round: ReviewRound, { paint, now }: View): string[] {
  const verdict = round.verdict === 'pass' ? paint.green('passed') : paint.red('blocked');
  const findings = round.findings.map((finding) => [
    finding.id,
    finding.severity === 'blocking' ? paint.red('blocking') : 'advisory',
    inert(finding.title, 160),
    finding.place === null ? '' : inert(finding.place, 120),
  ]);
  return [
    `round ${round.round}: ${verdict}, tree ${short(round.tree)}, ${when(round.time, now)}`,
    ...indent(rows(findings)),
  ];
}

export function feedback(run: RunDetail, view: View): Section | null {
  const list = run.state?.feedback ?? [];
  return section(
    'Sent back',
    list.flatMap((each) => [
      `${each.gate}, round ${each.round}: ${inert(each.operator)}, ${when(each.time, view.now)}`,
      ...indent([inert(each.text, 1000)]),
    ]),
  );
}

export function delivery(run: RunDetail): Section | null {
  const delivered = run.state?.delivery ?? null;
  if (delivered === null) return null;
  return section('Delivery', rows(deliveryFacts(delivered).map(([name, value]) => [name, inert(value)])));
}

export function section(title: string, lines: readonly string[]): Section | null {
  return lines.length === 0 ? null : { title, lines };
}
