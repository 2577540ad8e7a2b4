import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import { fieldsIn } from '../fields.ts';
import { pathsOf } from '../references.ts';
import { itemText, items, lineOf, problem, type Scope } from '../scope.ts';
import { explainPath } from './places.ts';

/** User-facing text: the terminology source was read, and there is something to choose from. */
export function checkWordings(scope: Scope, rule: RuleOf<'wordings'>): Problem[] {
  const field = fieldsIn(scope.document, 'Terminology', scope.fromLine, scope.toLine)[0];
  const paths = field === undefined ? [] : pathsOf(field.value);
  const declared = scope.facts.terminology;
  const problems: Problem[] = [];
  if (field === undefined || paths.length === 0) {
    const hint = declared[0] ?? 'docs/terminology.md';
    problems.push(
      problem(
        scope,
        lineOf(scope),
        'terminology-missing',
        `name the terminology source that you read: \`Terminology: ${hint}\``,
      ),
    );
  } else {
    for (const path of paths) {
      const wrong = explainPath(scope, 'baseline', path);
      if (wrong !== null) problems.push(problem(scope, field.line, 'terminology-unknown', wrong));
    }
    if (declared.length > 0 && !paths.some((p) => declared.includes(p))) {
      problems.push(
        problem(
          scope,
          field.line,
          'terminology-unknown',
          `the repository declares ${declared.join(', ')} as its terminology: read it and name it`,
        ),
      );
    }
  }
  const candidates = items(scope)
    .filter((item) => item.line !== field?.line)
    .map((item) => itemText(scope.document, item, (line) => line === field?.line));
  if (new Set(candidates).size < rule.min) {
    problems.push(
      problem(
        scope,
        lineOf(scope),
        'wordings-missing',
        `offer at least ${rule.min} different candidate wordings as a list`,
      ),
    );
  }
  return problems;
}
