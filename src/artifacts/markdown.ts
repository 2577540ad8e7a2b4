// Markdown as a tree with positions, and as masked text: the same text with everything blanked that is quoted rather
// than said (code blocks, HTML, addresses), so that offsets and line numbers stay true. No rules here.
import type { List, ListItem, Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { findHazard, normalizeText } from './text-safety.ts';

export type { Root, RootContent } from 'mdast';

/** A heading and what stands under it, up to the next heading of the same or a higher level. */
export interface Section {
  readonly heading: string;
  readonly level: number;
  /** 1-based line of the heading. */
  readonly line: number;
  /** 1-based last line. */
  readonly endLine: number;
  readonly nodes: readonly RootContent[];
}

export interface Item {
  readonly line: number;
  readonly endLine: number;
  /** The item's own first line, without its marker. */
  readonly text: string;
}

export interface Document {
  readonly root: Root;
  readonly lines: readonly string[];
  /** `lines` with code blocks, HTML and addresses blanked, escapes kept. */
  readonly masked: readonly string[];
  readonly sections: readonly Section[];
}

/** Never throws and is never slow: text that would exhaust the parser becomes one code block, shown as it is. */
export function parseMarkdown(text: string): Root {
  if (findHazard(text) === null) {
    try {
      return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    } catch {
      // The parser recurses on nested text; what is too deep in spite of the bounds is not Markdown to us.
    }
  }
  const lines = text.split('\n');
  const end = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset: text.length };
  const position = { start: { line: 1, column: 1, offset: 0 }, end };
  return { type: 'root', children: [{ type: 'code', value: text, position }], position };
}

export function readDocument(source: string): Document {
  const text = normalizeText(source);
  const root = parseMarkdown(text);
  const lines = text.split('\n');
  const masked = mask(text, root).split('\n');
  return { root, lines, masked, sections: sectionsOf(root, lines.length, masked) };
}

export function findSections(document: Document, heading: string, level: number): readonly Section[] {
  const wanted = heading.toLowerCase();
  return document.sections.filter((s) => s.level === level && s.heading.toLowerCase() === wanted);
}

/** The sections one level down, inside this one. */
export function subsections(document: Document, section: Section): readonly Section[] {
  return document.sections.filter(
    (s) => s.level === section.level + 1 && s.line > section.line && s.line <= section.endLine,
  );
}

/** Items of the lists that stand directly in these nodes, not of lists inside items. */
export function topItems(document: Document, nodes: readonly RootContent[]): readonly Item[] {
  return nodes
    .filter((n): n is List => n.type === 'list')
    .flatMap((list) => list.children.map((item) => toItem(document, item)));
}

export function plainText(node: Nodes): string {
  if ('value' in node) return node.type === 'html' ? '' : node.value;
  if ('alt' in node) return node.alt ?? '';
  if (node.type === 'break') return '\n';
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/** A masked line as prose: list marker, quote marker, bold and backslash escapes taken away. */
export function bareLine(masked: string): string {
  return unescapeText(masked.replace(/^[\s>]*(?:(?:[-*+]|\d{1,4}[.)])\s+)?(?:\[[ xX]\]\s+)?/, '')).trim();
}

export function unescapeText(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function toItem(document: Document, item: ListItem): Item {
  const line = item.position?.start.line ?? 1;
  const endLine = item.position?.end.line ?? line;
  return { line, endLine, text: bareLine(document.masked[line - 1] ?? '') };
}

function sectionsOf(root: Root, lineCount: number, masked: readonly string[]): Section[] {
  const headings = root.children.flatMap((node, index) => (node.type === 'heading' ? [{ node, index }] : []));
  return headings.map(({ node, index }, at) => {
    const next = headings.slice(at + 1).find((h) => h.node.depth <= node.depth);
    const line = node.position?.start.line ?? 1;
    // From the source, so that `__tests__` or `*` in a title is not eaten as emphasis.
    const source = (masked[line - 1] ?? '').replace(/^\s*#+\s*/, '').replace(/\s+#+\s*$/, '');
    return {
      heading: unescapeText(source).trim(),
      level: node.depth,
      line,
      endLine: next === undefined ? lineCount : (next.node.position?.start.line ?? lineCount + 1) - 1,
      nodes: root.children.slice(index + 1, next?.index),
    };
  });
}

function mask(text: string, root: Root): string {
  const ranges: [number, number][] = [];
  const visit = (node: Nodes): void => {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    if (node.type === 'code' || node.type === 'html' || node.type === 'definition') ranges.push([start, end]);
    else if (node.type === 'image') ranges.push([start, end]);
    else if (node.type === 'link') {
      const inner = node.children.at(-1)?.position?.end.offset ?? start;
      ranges.push(/^(?:https?:|www\.|mailto:|ftp:)/i.test(plainText(node)) ? [start, end] : [inner, end]);
    }
    if ('children' in node) node.children.forEach(visit);
  };
  visit(root);
  let out = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    out += text.slice(at, from) + text.slice(from, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return out + text.slice(at);
}
