// Rules of the clean-room review: answers, findings, verdict, and the tree it stands on.
import type { Problem } from '../../core/rejection.ts';
import type { RuleOf } from '../contract.ts';
import { fieldsIn, headFields } from '../fields.ts';
import { subsections } from '../markdown.ts';
import { isRepositoryPath, pathsOf, placesIn } from '../references.ts';
import { draftFindings, readFindings } from '../review.ts';
import { lineOf, named, problem, saysNone, type Scope } from '../scope.ts';
import { placeExists } from './places.ts';

export function checkQuestions(scope: Scope, rule: RuleOf<'questions'>): Problem[] {
  if (scope.section === null) return [];
  const problems: Problem[] = [];
  const found = subsections(scope.document, scope.section);
  const lookedAt = new Set<string>();
  const findings = readFindings(scope.document, rule.findings);
  for (const question of rule.questions) {
    const answer = found.find((s) => s.heading.toLowerCase() === question.heading.toLowerCase());
    if (answer === undefined) {
      problems.push(
        problem(
          scope,
          lineOf(scope),
          'question-unanswered',
          `answer "${question.heading}" under \`### ${question.heading}\``,
        ),
      );
      continue;
    }
    const given = fieldsIn(scope.document, 'Answer', answer.line + 1, answer.endLine)[0];
    const value =
      given?.value
        .toLowerCase()
        .replace(/[.,;].*$/, '')
        .trim() ?? '';
    if (given === undefined || !question.answers.includes(value)) {
      const line = given?.line ?? answer.line;
      problems.push(
        problem(
          scope,
          line,
          'answer-missing',
          `"${question.heading}" needs \`Answer: ${question.answers.join('|')}\` (one of these words)`,
        ),
      );
    } else if (value === question.bad && findings.length === 0) {
      problems.push(
        problem(
          scope,
          given.line,
          'answer-without-finding',
          `"${question.heading}" is answered ${value}: write the finding that follows from it under "${rule.findings}"`,
        ),
      );
    }
    const files = fieldsIn(scope.document, 'Files', answer.line + 1, answer.endLine)[0];
    const paths = files === undefined ? [] : pathsOf(files.value);
    if (files === undefined || paths.length === 0) {
      problems.push(
        problem(
          scope,
          answer.line,
          'files-missing',
          `say which files you looked at for "${question.heading}": \`Files: src/a.js, test/a.test.js\``,
        ),
      );
      continue;
    }
    for (const path of paths) {
      lookedAt.add(path);
      if (!existsOrChanged(scope, path))
        problems.push(problem(scope, files.line, 'path-unknown', `${path} is neither in the worktree nor in the diff`));
    }
  }
  for (const path of scope.facts.changedFiles) {
    if (!lookedAt.has(path))
      problems.push(
        problem(
          scope,
          lineOf(scope),
          'changed-file-unseen',
          `${path} is changed but no answer lists it under Files: look at it`,
        ),
      );
  }
  return problems;
}

export function checkFindings(scope: Scope, rule: RuleOf<'findings'>): Problem[] {
  if (scope.section === null) return [];
  if (rule.none && saysNone(scope)) return [];
  const findings = draftFindings(scope.document, scope.section);
  const shape = `\`### ${rule.id}1 blocking: title\` or \`### ${rule.id}1 advisory: title\``;
  if (findings.length < Math.max(1, rule.min)) {
    const none = rule.none ? ', or the word None' : '';
    return [problem(scope, lineOf(scope), 'findings-missing', `${named(scope)} needs ${shape}${none}`)];
  }
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const problems: Problem[] = [];
    if (finding.id === null || !finding.id.startsWith(rule.id) || finding.title === '') {
      return [problem(scope, finding.line, 'finding-heading', `a finding is headed ${shape}`)];
    }
    if (seen.has(finding.id))
      problems.push(
        problem(scope, finding.line, 'id-duplicate', `${finding.id} is already used: give each finding its own id`),
      );
    seen.add(finding.id);
    const good = placesIn(scope.document, finding.line + 1, finding.endLine).some((p) =>
      placeExists(scope, 'either', p),
    );
    if (!good)
      problems.push(
        problem(
          scope,
          finding.line,
          'place-missing',
          `${finding.id} must name the file and line it is about, like \`src/app.js:12\``,
        ),
      );
    if (!finding.hasReason)
      problems.push(problem(scope, finding.line, 'finding-reason', `say under ${finding.id} what is wrong and why`));
    return problems;
  });
}

export function checkVerdict(scope: Scope, rule: RuleOf<'verdict'>): Problem[] {
  const field = headFields(scope.document, rule.field)[0];
  if (field === undefined) return [];
  const blocking = readFindings(scope.document, rule.findings).filter((f) => f.severity === 'blocking');
  const wanted = blocking.length > 0 ? rule.blocked : rule.pass;
  if (field.value.toLowerCase() === wanted) return [];
  const why = blocking.length > 0 ? `${blocking.map((f) => f.id).join(', ')} is blocking` : 'no finding is blocking';
  return [problem(scope, field.line, 'verdict-inconsistent', `${why}, so it must read \`${rule.field}: ${wanted}\``)];
}

export function checkTreeCurrent(scope: Scope, rule: RuleOf<'tree-current'>): Problem[] {
  const field = headFields(scope.document, rule.field)[0];
  if (field === undefined || scope.facts.tree === null || field.value === scope.facts.tree) return [];
  const message = `this is about tree ${field.value.slice(0, 12)}, but the worktree is now ${scope.facts.tree}: judge that one and write its hash`;
  return [problem(scope, field.line, 'tree-outdated', message)];
}

/** `### F1` with `Files:` and what was done, for each blocking finding; ids that nobody gave are refused. */
export function checkAnswersFindings(scope: Scope): Problem[] {
  if (scope.section === null) return [];
  const problems: Problem[] = [];
  const answered = new Set<string>();
  for (const sub of subsections(scope.document, scope.section)) {
    const id = /^([A-Z][1-9]\d{0,3})(?![A-Za-z0-9])/.exec(sub.heading)?.[1];
    if (id === undefined || !scope.facts.findings.some((f) => f.id === id)) {
      const known = scope.facts.findings.map((f) => f.id).join(', ');
      problems.push(
        problem(
          scope,
          sub.line,
          'finding-unknown',
          `no finding of the last round is called ${id ?? sub.heading}; there ${known === '' ? 'is none' : `are ${known}`}`,
        ),
      );
      continue;
    }
    if (answered.has(id)) problems.push(problem(scope, sub.line, 'id-duplicate', `${id} is answered twice`));
    answered.add(id);
    const files = fieldsIn(scope.document, 'Files', sub.line + 1, sub.endLine)[0];
    const paths = files === undefined ? [] : pathsOf(files.value);
    if (files === undefined || paths.length === 0) {
      problems.push(
        problem(scope, sub.line, 'files-missing', `say in which files ${id} was fixed: \`Files: src/a.js\``),
      );
    } else {
      for (const path of paths.filter((p) => !existsOrChanged(scope, p))) {
        problems.push(problem(scope, files.line, 'path-unknown', `${path} is neither in the worktree nor in the diff`));
      }
    }
    if (!saysMore(scope, sub.line + 1, sub.endLine, files?.line))
      problems.push(problem(scope, sub.line, 'answer-empty', `say what was done about ${id}`));
  }
  for (const finding of scope.facts.findings) {
    if (finding.severity === 'blocking' && !answered.has(finding.id)) {
      problems.push(
        problem(
          scope,
          lineOf(scope),
          'finding-unanswered',
          `${finding.id} (${shorten(finding.title)}) is blocking and not answered: add \`### ${finding.id}\``,
        ),
      );
    }
  }
  return problems;
}

export function existsOrChanged(scope: Scope, path: string): boolean {
  return isRepositoryPath(path) && (scope.facts.treeHas(path) || scope.facts.changedFiles.includes(path));
}

function saysMore(scope: Scope, fromLine: number, toLine: number, except: number | undefined): boolean {
  for (let line = fromLine; line <= toLine; line++) {
    if (line !== except && /\p{L}{2}/u.test(scope.document.masked[line - 1] ?? '')) return true;
  }
  return false;
}

/** Titles may be a person's feedback of many lines. */
function shorten(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 77)}...`;
}
