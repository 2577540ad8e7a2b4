// What a rule gets: the artifact, the part of it that the rule is about, the facts, and a way to say what is wrong.
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName } from '../core/stage.ts';
import type { CheckFacts } from './facts.ts';
import {
  bareLine,
  readDocument,
  topItems,
  type Document,
  type Item,
  type RootContent,
  type Section,
} from './markdown.ts';
import { checkText } from './text-safety.ts';

export interface Scope {
  readonly artifact: ArtifactName;
  readonly document: Document;
  readonly facts: CheckFacts;
  /** Null when the rule is about the whole file. */
  readonly section: Section | null;
  readonly fromLine: number;
  readonly toLine: number;
  readonly nodes: readonly RootContent[];
  /** Another artifact of the run, parsed once; null when it is not there or not readable. */
  other(name: ArtifactName): Document | null;
}

export function fileScope(artifact: ArtifactName, document: Document, facts: CheckFacts): Scope {
  const parsed = new Map<ArtifactName, Document | null>([[artifact, document]]);
  const other = (name: ArtifactName): Document | null => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const text = facts.artifacts[name];
    const read = text === undefined || checkText(name, text).length > 0 ? null : readDocument(text);
    parsed.set(name, read);
    return read;
  };
  const toLine = document.lines.length;
  return { artifact, document, facts, section: null, fromLine: 1, toLine, nodes: document.root.children, other };
}

export function sectionScope(base: Scope, section: Section): Scope {
  return { ...base, section, fromLine: section.line + 1, toLine: section.endLine, nodes: section.nodes };
}

export function problem(scope: Scope, line: number | null, rule: string, message: string): Problem {
  return { file: scope.artifact, line, rule, message };
}

/** `"Evidence"`, for messages. */
export function named(scope: Scope): string {
  return scope.section === null ? scope.artifact : `"${scope.section.heading}"`;
}

export function lineOf(scope: Scope): number | null {
  return scope.section?.line ?? null;
}

export function items(scope: Scope): readonly Item[] {
  return topItems(scope.document, scope.nodes);
}

/** Null when the list of a section is long enough. `shape`: how its items read. */
export function tooShort(
  scope: Scope,
  rule: { readonly min: number; readonly none: boolean },
  shape: string,
): Problem | null {
  if (items(scope).length >= rule.min) return null;
  const none = rule.none ? ', or the word None' : '';
  const message = `${named(scope)} needs a list of at least ${rule.min} (${shape})${none}`;
  return problem(scope, lineOf(scope), 'items-missing', message);
}

/** The section says explicitly that there is nothing: its first line is `None`, a reason may follow. */
export function saysNone(scope: Scope): boolean {
  return isNone(firstLine(scope)) && !scope.nodes.some((n) => n.type === 'heading');
}

export function isNone(text: string): boolean {
  return /^none(?:$|[\s.,:;(-])/i.test(text);
}

export function firstLine(scope: Scope): string {
  for (let line = scope.fromLine; line <= scope.toLine; line++) {
    const text = bareLine(scope.document.masked[line - 1] ?? '');
    if (text !== '') return text;
  }
  return '';
}

/** An item with its continuation lines, up to a line that the caller does not count as text. */
export function itemText(document: Document, item: Item, stop: (line: number) => boolean = () => false): string {
  const parts = [item.text];
  for (let line = item.line + 1; line <= item.endLine && !stop(line); line++)
    parts.push(bareLine(document.masked[line - 1] ?? ''));
  return parts.filter((p) => p !== '').join(' ');
}
