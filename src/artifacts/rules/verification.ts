// Rules of verification: what counts as showing a behaviour, on which tree.
import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import type { EvidenceFact } from '../facts.ts';
import { idItems } from '../ids.ts';
import { citationsIn } from '../references.ts';
import { itemText, items, lineOf, problem, saysNone, type Scope } from '../scope.ts';
import { readBehaviours, readPair } from '../verification.ts';

/** Exit code 0 of the tests is one piece of evidence, never the whole: each behaviour is shown itself, as it is now. */
export function checkShown(scope: Scope): Problem[] {
  return readBehaviours(scope.document).flatMap((behaviour) => {
    const say = (rule: string, message: string): Problem => problem(scope, behaviour.line, rule, message);
    if (behaviour.evidence.length === 0) {
      return [
        say(
          'behaviour-unshown',
          `${behaviour.id} needs evidence after an arrow: \`- ${behaviour.id}: what changed -> E7, E8\``,
        ),
      ];
    }
    const cited = behaviour.evidence.flatMap((id) => scope.facts.evidence.find((e) => e.id === id) ?? []);
    const old = cited.filter((e) => e.pair?.side !== 'before' && !isCurrent(scope, e));
    const problems = old.map((e) =>
      say(
        'evidence-outdated',
        `${e.id} was recorded before the last change of the worktree: record it again and cite the new id`,
      ),
    );
    const shows = cited.some(
      (e) => isCurrent(scope, e) && !e.isDeclaredTest && e.kind !== 'source' && e.pair?.side !== 'before',
    );
    if (!shows && old.length === 0) {
      problems.push(
        say(
          'behaviour-only-tests',
          `${behaviour.id} is not shown by the tests alone: run or capture the behaviour itself and cite that too`,
        ),
      );
    }
    return problems;
  });
}

export function checkTestsRun(scope: Scope, rule: RuleOf<'tests-run'>): Problem[] {
  const command = scope.facts.testCommand ?? 'the declared test command';
  const cited = new Set(citationsIn(scope.document, scope.fromLine, scope.toLine).map((c) => c.id));
  const runs = scope.facts.evidence.filter((e) => cited.has(e.id) && e.isDeclaredTest);
  const say = (name: string, message: string): Problem[] => [problem(scope, lineOf(scope), name, message)];
  if (runs.length === 0)
    return say(
      'tests-not-run',
      `"Tests" must cite a run of the declared test command: \`lattice evidence run -- ${command}\``,
    );
  const current = runs.filter((e) => isCurrent(scope, e));
  if (current.length === 0)
    return say(
      'tests-outdated',
      `${runs.map((e) => e.id).join(', ')} ran before the last change of the worktree: run \`lattice evidence run -- ${command}\` again`,
    );
  if (rule.exitCode !== undefined && !current.some((e) => e.exitCode === rule.exitCode)) {
    const codes = current.map((e) => `${e.id} ended with ${e.exitCode ?? 'no exit code'}`).join(', ');
    return say(
      'tests-failed',
      `${codes}: a passing result needs exit code ${rule.exitCode}; otherwise write \`Result: fail\` and say under "Failures" what is wrong`,
    );
  }
  return [];
}

export function checkImagePairs(scope: Scope, rule: RuleOf<'image-pairs'>): Problem[] {
  const none = saysNone(scope);
  const list = none ? [] : items(scope);
  if (list.length < rule.min) {
    const why = scope.facts.visible
      ? 'the change is visible, so images before and after are owed'
      : '"Images" needs a list or the word None';
    return [
      problem(
        scope,
        lineOf(scope),
        'images-missing',
        `${why}: add each with \`lattice evidence add FILE --kind image --pair before:NAME\` (or after:NAME) and list \`- NAME: E1 -> E2\``,
      ),
    ];
  }
  if (!none && list.length === 0)
    return [
      problem(scope, lineOf(scope), 'images-missing', '"Images" needs a list `- NAME: E1 -> E2`, or the word None'),
    ];
  return list.flatMap((item) => {
    const pair = readPair(itemText(scope.document, item));
    if (pair === null)
      return [
        problem(
          scope,
          item.line,
          'image-pair',
          'each item reads `- NAME: E1 -> E2`, the image before and the image after',
        ),
      ];
    return [
      checkSide(scope, item.line, pair.before, 'before', pair.name),
      checkSide(scope, item.line, pair.after, 'after', pair.name),
    ].flat();
  });
}

/** Both lists have the same ids, so that nothing that was announced is left out and nothing is added unseen. */
export function checkSameIds(scope: Scope, rule: RuleOf<'same-ids'>): Problem[] {
  const other = scope.other(rule.artifact);
  if (other === null || scope.section === null) return [];
  const here = idItems(scope.document, scope.section.heading, rule.id);
  const there = idItems(other, rule.section, rule.id);
  const unknown = here.filter((h) => !there.some((t) => t.id === h.id));
  const missing = there.filter((t) => !here.some((h) => h.id === t.id));
  return [
    ...unknown.map((h) =>
      problem(scope, h.line, 'id-unknown', `${h.id} is not under "${rule.section}" in ${rule.artifact}`),
    ),
    ...missing.map((t) =>
      problem(
        scope,
        lineOf(scope),
        'id-missing',
        `${t.id} of ${rule.artifact} is missing here: ${t.text.slice(0, 80)}`,
      ),
    ),
  ];
}

function checkSide(scope: Scope, line: number, id: string, side: 'before' | 'after', name: string): Problem[] {
  const evidence = scope.facts.evidence.find((e) => e.id === id);
  // An unknown id is already reported by the rule over the whole file.
  if (evidence === undefined) return [];
  if (evidence.kind !== 'image' || evidence.pair?.side !== side || evidence.pair.name !== name) {
    return [
      problem(
        scope,
        line,
        'image-pair',
        `${id} is not the image "${side}" of ${name}: add it with \`lattice evidence add FILE --kind image --pair ${side}:${name}\``,
      ),
    ];
  }
  if (side === 'after' && !isCurrent(scope, evidence)) {
    return [
      problem(
        scope,
        line,
        'evidence-outdated',
        `${id} was taken before the last change of the worktree: take it again and cite the new id`,
      ),
    ];
  }
  return [];
}

function isCurrent(scope: Scope, evidence: EvidenceFact): boolean {
  return scope.facts.tree !== null && evidence.tree === scope.facts.tree;
}
