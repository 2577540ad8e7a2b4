// Judges one artifact against its contract and the facts. Pure: the same input gives the same problems, in line order.
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName } from '../core/stage.ts';
import type { Contract, Field, Rule, When } from './contract.ts';
import type { CheckFacts } from './facts.ts';
import { headField, headFields } from './fields.ts';
import { findSections, readDocument, type Document } from './markdown.ts';
import { checkCites } from './rules/cites.ts';
import { checkDecisions } from './rules/decisions.ts';
import { checkItems } from './rules/items.ts';
import { checkPaths, checkPlaces } from './rules/places.ts';
import { checkDepartures, checkNamesChangedFiles } from './rules/plan.ts';
import { checkAnswersFindings, checkFindings, checkQuestions, checkTreeCurrent, checkVerdict } from './rules/review.ts';
import { checkImagePairs, checkSameIds, checkShown, checkTestsRun } from './rules/verification.ts';
import { checkWordings } from './rules/wordings.ts';
import { fileScope, isNone, problem, sectionScope, type Scope } from './scope.ts';
import { checkText } from './text-safety.ts';

export function checkArtifact(name: ArtifactName, text: string, facts: CheckFacts, contract: Contract): Problem[] {
  const unsafe = checkText(name, text);
  if (unsafe.length > 0) return unsafe;
  const document = readDocument(text);
  const file = fileScope(name, document, facts);
  const problems = [
    ...contract.fields.flatMap((field) => checkField(file, field)),
    ...contract.sections.flatMap((section) => {
      if (!applies(section.when, document, facts)) return [];
      const [found, second] = findSections(document, section.heading, section.level);
      if (found === undefined) {
        const heading = `${'#'.repeat(section.level)} ${section.heading}`;
        return section.optional
          ? []
          : [problem(file, null, 'section-missing', `the section \`${heading}\` is missing`)];
      }
      if (second !== undefined)
        return [problem(file, second.line, 'section-duplicate', `"${section.heading}" is there twice: keep one`)];
      const scope = sectionScope(file, found);
      if (isEmpty(scope))
        return [problem(file, found.line, 'section-empty', `"${section.heading}" says nothing: write it`)];
      return section.rules.flatMap((rule) => runRule(scope, rule));
    }),
    ...contract.rules.flatMap((rule) => runRule(file, rule)),
  ];
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function runRule(scope: Scope, rule: Rule): Problem[] {
  if (!applies(rule.when, scope.document, scope.facts)) return [];
  switch (rule.rule) {
    case 'items':
      return checkItems(scope, rule);
    case 'cites':
      return checkCites(scope, rule);
    case 'places':
      return checkPlaces(scope, rule);
    case 'paths':
      return checkPaths(scope, rule);
    case 'decisions':
      return checkDecisions(scope);
    case 'wordings':
      return checkWordings(scope, rule);
    case 'questions':
      return checkQuestions(scope, rule);
    case 'findings':
      return checkFindings(scope, rule);
    case 'verdict':
      return checkVerdict(scope, rule);
    case 'tree-current':
      return checkTreeCurrent(scope, rule);
    case 'departures':
      return checkDepartures(scope, rule);
    case 'names-changed-files':
      return checkNamesChangedFiles(scope, rule);
    case 'answers-findings':
      return checkAnswersFindings(scope);
    case 'shown':
      return checkShown(scope);
    case 'tests-run':
      return checkTestsRun(scope, rule);
    case 'image-pairs':
      return checkImagePairs(scope, rule);
    case 'same-ids':
      return checkSameIds(scope, rule);
  }
}

function checkField(scope: Scope, field: Field): Problem[] {
  const [found, second] = headFields(scope.document, field.name);
  const shape =
    field.values?.join('|') ??
    { text: 'text', tree: '<the hash that lattice sync printed>', 'url-or-none': 'https://...|None' }[field.format];
  const wanted = `\`${field.name}: ${shape}\``;
  if (found === undefined)
    return [problem(scope, 1, 'field-missing', `a line ${wanted} must stand before the first section`)];
  if (second !== undefined)
    return [problem(scope, second.line, 'field-duplicate', `"${field.name}" is there twice: keep one`)];
  return fieldHolds(field, found.value)
    ? []
    : [problem(scope, found.line, 'field-value', `it must read ${wanted} (one of these)`)];
}

function fieldHolds(field: Field, value: string): boolean {
  if (field.values !== undefined) return field.values.includes(value.toLowerCase());
  if (field.format === 'tree') return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
  if (field.format === 'url-or-none') return isNone(value) || /^https?:\/\/\S+$/.test(value);
  return value !== '';
}

function applies(when: When | undefined, document: Document, facts: CheckFacts): boolean {
  if (when === undefined) return true;
  return 'fact' in when ? facts.visible : headField(document, when.field)?.toLowerCase() === when.is;
}

function isEmpty(scope: Scope): boolean {
  const text = scope.document.lines
    .slice(scope.fromLine - 1, scope.toLine)
    .join('\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();
  return text === '' || /^(?:[-*]\s*)?(?:todo|tbd|fixme|\.{3}|…|-)\.?$/i.test(text);
}
