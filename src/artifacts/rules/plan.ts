// Rules that tie the plan to the change.
import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import { type Document, findSections, topItems } from '../markdown.ts';
import { isRepositoryPath, leadingPath, pathsOf } from '../references.ts';
import { fieldsIn } from '../fields.ts';
import { items, lineOf, problem, type Scope } from '../scope.ts';

/** `- path: reason` or `- Step 2: reason`; the step is one of plan.md. */
export function checkDepartures(scope: Scope, rule: RuleOf<'departures'>): Problem[] {
  const list = items(scope);
  if (list.length < rule.min) {
    return [
      problem(
        scope,
        lineOf(scope),
        'items-missing',
        'list each departure: `- path: reason` or `- Step 2: reason`; with no departure there is no plan-delta.md',
      ),
    ];
  }
  const steps = planSteps(scope.other('plan.md'));
  return list.flatMap((item) => {
    const step = /^step\s+(\d{1,3})\s*:\s*(.*)$/i.exec(item.text);
    if (step !== null) {
      if ((step[2] ?? '') === '')
        return [problem(scope, item.line, 'departure-reason', 'give the reason after the colon')];
      const known = Number(step[1]) >= 1 && Number(step[1]) <= steps;
      return known
        ? []
        : [problem(scope, item.line, 'step-unknown', `plan.md has no step ${step[1]}; it has ${steps}`)];
    }
    const path = leadingPath(item.text);
    if (path === null || !isRepositoryPath(path.path)) {
      return [
        problem(
          scope,
          item.line,
          'departure-subject',
          'a departure starts with a path or a step of the plan: `- src/app.js: reason` or `- Step 2: reason`',
        ),
      ];
    }
    return path.text === ''
      ? [problem(scope, item.line, 'departure-reason', `give the reason: \`- ${path.path}: reason\``)]
      : [];
  });
}

/** Files changed that no plan names are refused, each by name. */
export function checkNamesChangedFiles(scope: Scope, rule: RuleOf<'names-changed-files'>): Problem[] {
  const named = new Set<string>();
  for (const artifact of rule.in) {
    const document = scope.other(artifact);
    if (document !== null) for (const path of namedPaths(document)) named.add(path);
  }
  return scope.facts.changedFiles
    .filter((path) => !named.has(path))
    .map((path) => ({
      file: rule.report,
      line: null,
      rule: 'changed-file-unplanned',
      message: `${path} is changed but ${rule.in.join(', ')} do not name it: add \`- ${path}: reason\` to ${rule.report}, or undo the change`,
    }));
}

/** Paths that start a list item under Files, Departures or Also changed, and those of `Files:` fields under Answers. */
function namedPaths(document: Document): string[] {
  const listed = ['Files', 'Departures', 'Also changed']
    .flatMap((heading) => findSections(document, heading, 2))
    .flatMap((section) => topItems(document, section.nodes))
    .flatMap((item) => leadingPath(item.text)?.path ?? []);
  const answered = findSections(document, 'Answers', 2).flatMap((s) => fieldsIn(document, 'Files', s.line, s.endLine));
  return [...listed, ...answered.flatMap((f) => pathsOf(f.value))];
}

function planSteps(plan: Document | null): number {
  return plan === null ? 0 : findSections(plan, 'Steps', 2).flatMap((s) => topItems(plan, s.nodes)).length;
}
