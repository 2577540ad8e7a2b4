import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import { leadingId } from '../ids.ts';
import { itemText, items, named, problem, saysNone, tooShort, type Scope } from '../scope.ts';

/** A list is there, long enough, and its items carry unique ids where ids are asked for. */
export function checkItems(scope: Scope, rule: RuleOf<'items'>): Problem[] {
  if (rule.none && saysNone(scope)) return [];
  const missing = tooShort(scope, rule, shape(rule));
  if (missing !== null) return [missing];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const item of items(scope)) {
    const text = itemText(scope.document, item);
    if (rule.id === undefined) {
      if (text === '')
        problems.push(problem(scope, item.line, 'item-empty', 'this list item is empty: write it or remove it'));
      continue;
    }
    const match = leadingId(text, rule.id);
    if (match === null || match.text === '') {
      problems.push(problem(scope, item.line, 'item-without-id', `each item in ${named(scope)} reads ${shape(rule)}`));
    } else if (seen.has(match.id)) {
      problems.push(
        problem(
          scope,
          item.line,
          'id-duplicate',
          `${match.id} is already used in ${named(scope)}: give each item its own id`,
        ),
      );
    } else seen.add(match.id);
  }
  return problems;
}

function shape(rule: RuleOf<'items'>): string {
  return rule.id === undefined ? '`- text`' : `\`- ${rule.id}1: text\``;
}
