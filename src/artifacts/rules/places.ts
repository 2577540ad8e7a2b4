import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import { isRepositoryPath, leadingPath, placesIn, type Place } from '../references.ts';
import { items, lineOf, named, problem, saysNone, tooShort, type Scope } from '../scope.ts';

type At = RuleOf<'places'>['at'];

/** Every `path:line` is really there, and there are enough of them. */
export function checkPlaces(scope: Scope, rule: RuleOf<'places'>): Problem[] {
  if (scope.section === null) {
    return placesIn(scope.document, scope.fromLine, scope.toLine).flatMap((place) => {
      const wrong = explainPlace(scope, rule.at, place);
      return wrong === null ? [] : [problem(scope, place.line, 'place-unknown', wrong)];
    });
  }
  if (saysNone(scope)) return [];
  const parts = rule.per === 'item' ? items(scope) : [{ line: scope.fromLine, endLine: scope.toLine }];
  return parts.flatMap((part) => {
    const good = placesIn(scope.document, part.line, part.endLine).filter((p) => placeExists(scope, rule.at, p));
    if (good.length >= rule.min) return [];
    const what = rule.per === 'item' ? `each item in ${named(scope)}` : named(scope);
    const line = rule.per === 'item' ? part.line : lineOf(scope);
    return [
      problem(
        scope,
        line,
        'place-missing',
        `${what} must name a file and line that exist ${where(rule.at)}, like \`src/app.js:12\``,
      ),
    ];
  });
}

/** Each item starts with a path that is there. */
export function checkPaths(scope: Scope, rule: RuleOf<'paths'>): Problem[] {
  if (rule.none && saysNone(scope)) return [];
  const missing = tooShort(scope, rule, '`- path: text`');
  if (missing !== null) return [missing];
  return items(scope).flatMap((item) => {
    const found = leadingPath(item.text);
    if (found === null)
      return [
        problem(
          scope,
          item.line,
          'path-missing',
          `each item in ${named(scope)} starts with a path: \`- src/app.js: text\``,
        ),
      ];
    if (rule.text && found.text === '')
      return [problem(scope, item.line, 'item-empty', `say after the path: \`- ${found.path}: text\``)];
    const wrong = explainPath(scope, rule.at, found.path);
    return wrong === null ? [] : [problem(scope, item.line, 'path-unknown', wrong)];
  });
}

/** Null when the path is good there; otherwise what is wrong with it. */
export function explainPath(scope: Scope, at: At, path: string): string | null {
  if (!isRepositoryPath(path))
    return `${path} is not a path inside the repository: write it from the repository's root, like src/app.js`;
  return has(scope, at, path) ? null : `${path} does not exist ${where(at)}`;
}

export function placeExists(scope: Scope, at: At, place: Place): boolean {
  return (
    isRepositoryPath(place.path) &&
    has(scope, at, place.path, place.from) &&
    place.to >= place.from &&
    has(scope, at, place.path, place.to)
  );
}

function explainPlace(scope: Scope, at: At, place: Place): string | null {
  if (!place.certain || placeExists(scope, at, place)) return null;
  const path = explainPath(scope, at, place.path);
  if (path !== null) return `${path} (text that only looks like a file and line belongs in a code block)`;
  return `${place.path} has no line ${place.from}${place.to === place.from ? '' : `-${place.to}`} ${where(at)}`;
}

function has(scope: Scope, at: At, path: string, line?: number): boolean {
  if (at === 'anywhere') return true;
  const inBaseline = (): boolean => scope.facts.baselineHas(path, line);
  const inTree = (): boolean => scope.facts.treeHas(path, line);
  return at === 'baseline' ? inBaseline() : at === 'tree' ? inTree() : inTree() || inBaseline();
}

function where(at: At): string {
  if (at === 'baseline') return 'at the baseline commit';
  return at === 'tree' ? 'in the worktree as it is now' : 'in the worktree or at the baseline commit';
}
