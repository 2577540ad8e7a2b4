// What a rule gets: the artifact, the part of it that the rule is about, the facts, and a way to say what is wrong.
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName } from '../core/stage.ts';
import type { CheckFacts } from './facts.ts';
import { bareLine, topItems, type Document, type Item, type RootContent, type Section } from './markdown.ts';

export interface Scope {
  readonly artifact: ArtifactName;
  readonly document: Document;
  readonly facts: CheckFacts;
  /** Null when the rule is about the whole file. */
  readonly section: Section | null;
  readonly fromLine: number;
  readonly toLine: number;
  readonly nodes: readonly RootContent[];
}

export function fileScope(artifact: ArtifactName, document: Document, facts: CheckFacts): Scope {
  return {
    artifact,
    document,
    facts,
    section: null,
    fromLine: 1,
    toLine: document.lines.length,
    nodes: document.root.children,
  };
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
