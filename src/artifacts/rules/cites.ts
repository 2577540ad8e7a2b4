import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import type { EvidenceFact } from '../facts.ts';
import { idItems } from '../ids.ts';
import { citationsIn } from '../references.ts';
import { items, lineOf, named, problem, type Scope } from '../scope.ts';

/** Every evidence id is one that the engine gave, and each claim stands on enough of them. */
export function checkCites(scope: Scope, rule: RuleOf<'cites'>): Problem[] {
  const problems: Problem[] = [];
  const listed = listedIds(scope, rule);
  if (listed === null)
    return [
      problem(
        scope,
        null,
        'artifact-missing',
        'diagnosis.md is not there or not readable; evidence is looked up in it',
      ),
    ];
  // Unknown ids are reported once, by the rule over the whole file; here they only do not count.
  if (scope.section === null) {
    for (const { id, line } of citationsIn(scope.document, scope.fromLine, scope.toLine)) {
      const wrong = explainUnknown(scope, rule, listed, id);
      if (wrong !== null) problems.push(problem(scope, line, wrong.rule, wrong.message));
    }
    return problems;
  }
  const parts = rule.per === 'item' ? items(scope) : [{ line: scope.fromLine, endLine: scope.toLine }];
  for (const part of parts) {
    const cited = new Set(citationsIn(scope.document, part.line, part.endLine).map((c) => c.id));
    const good = scope.facts.evidence.filter((e) => cited.has(e.id) && listed.has(e.id) && isKind(e, rule));
    if (good.length >= rule.min) continue;
    const line = rule.per === 'item' ? part.line : lineOf(scope);
    problems.push(problem(scope, line, 'evidence-missing', explainMissing(scope, rule)));
  }
  return problems;
}

/** The ids that may be cited here; null when they are in an artifact that is not there. */
function listedIds(scope: Scope, rule: RuleOf<'cites'>): ReadonlySet<string> | null {
  if (rule.of === 'records') return new Set(scope.facts.evidence.map((e) => e.id));
  if (rule.of === 'listed') return new Set(idItems(scope.document, 'Evidence', 'E').map((i) => i.id));
  const diagnosis = scope.other('diagnosis.md');
  return diagnosis === null ? null : new Set(idItems(diagnosis, 'Evidence', 'E').map((i) => i.id));
}

function explainUnknown(
  scope: Scope,
  rule: RuleOf<'cites'>,
  listed: ReadonlySet<string>,
  id: string,
): { rule: string; message: string } | null {
  if (!scope.facts.evidence.some((e) => e.id === id)) {
    return {
      rule: 'evidence-unknown',
      message: `${id} is no evidence of this run: cite an id that \`lattice evidence\` printed (text that only looks like an id belongs in a code block)`,
    };
  }
  if (listed.has(id)) return null;
  return rule.of === 'listed'
    ? {
        rule: 'evidence-unlisted',
        message: `${id} is recorded but not listed under "Evidence": add \`- ${id}: what it shows\``,
      }
    : {
        rule: 'evidence-not-in-diagnosis',
        message: `${id} is not listed under "Evidence" in diagnosis.md: cite evidence that the diagnosis lists`,
      };
}

function explainMissing(scope: Scope, rule: RuleOf<'cites'>): string {
  const what = rule.per === 'item' ? `each item in ${named(scope)}` : named(scope);
  const count = rule.min === 1 ? 'an evidence id (like E1)' : `${rule.min} evidence ids`;
  const kinds = rule.kinds === undefined ? '' : ` of kind ${rule.kinds.join(' or ')}`;
  const how =
    rule.kinds?.includes('command') === true
      ? ': run it with `lattice evidence run -- COMMAND` and cite the id it prints'
      : '';
  const where = rule.of === 'diagnosis.md' ? ' from diagnosis.md' : '';
  return `${what} must cite ${count}${kinds}${where}${how}`;
}

function isKind(evidence: EvidenceFact, rule: RuleOf<'cites'>): boolean {
  return rule.kinds === undefined || rule.kinds.includes(evidence.kind);
}
