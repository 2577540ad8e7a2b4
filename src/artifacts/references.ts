// Evidence ids and `path:line` references in prose. Code blocks, HTML and addresses are blanked before this looks.
import { unescapeText, type Document } from './markdown.ts';

export interface Citation {
  readonly id: string;
  readonly line: number;
}

export interface Place {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** False for words like `localhost:3000` that are a place only if such a file exists. */
  readonly certain: boolean;
}

const citationPattern = /(?<![\w/.])E[1-9]\d{0,4}(?!\w|\.\w)/g;
const quotedPlace = /`([^`\n]+?):(\d{1,7})(?:-(\d{1,7}))?(?::\d+)?`/g;
const barePlace = /(?<![\w:/@.-])((?:\.{0,2}\/)?[\w@.+()[\]~-][\w@.+()[\]~/-]*):(\d{1,7})(?:-(\d{1,7}))?(?![\w])/g;

export function citationsIn(document: Document, fromLine: number, toLine: number): Citation[] {
  return eachLine(document, fromLine, toLine, (text, line) =>
    [...text.matchAll(citationPattern)].map((m) => ({ id: m[0], line })),
  );
}

export function citationsOf(text: string): string[] {
  return [...text.matchAll(citationPattern)].map((m) => m[0]);
}

export function placesIn(document: Document, fromLine: number, toLine: number): Place[] {
  return eachLine(document, fromLine, toLine, (text, line) => {
    const places: Place[] = [];
    const rest = text.replace(quotedPlace, (whole, path: string, from: string, to: string | undefined) => {
      places.push(toPlace(path, from, to, line));
      return ' '.repeat(whole.length);
    });
    for (const m of rest.matchAll(barePlace)) places.push(toPlace(m[1] ?? '', m[2] ?? '', m[3], line));
    return places;
  });
}

/** The path that starts a list item, and the text after the colon: `- path: text`, the path bare or in backticks. */
export function leadingPath(text: string): { path: string; text: string } | null {
  const quoted = /^`([^`]+)`\s*(?::\s*|[-–—]\s+|$)(.*)$/.exec(text);
  const match = quoted ?? /^([^\s`]+?)(?::(?:\s+|$)|\s+[-–—]\s+|$)(.*)$/.exec(text);
  if (match === null) return null;
  // A line number after the path is welcome and not part of it.
  const path = (match[1] ?? '').replace(/:\d+(?:-\d+)?$/, '');
  return { path, text: (match[2] ?? '').trim() };
}

/** The paths of `Files: a, b`, or of a list. */
export function pathsOf(value: string): string[] {
  const quoted = [...value.matchAll(/`([^`]+)`/g)].map((m) => m[1] ?? '');
  const words = quoted.length > 0 ? quoted : value.split(/[,\s]+/);
  return words.map((w) => w.trim().replace(/:\d+(?:-\d+)?$/, '')).filter((w) => w !== '');
}

/** Relative to the repository's root, with forward slashes, and staying inside it. */
export function isRepositoryPath(path: string): boolean {
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !path.includes('\\') &&
    !path.split('/').some((part) => part === '' || part === '.' || part === '..')
  );
}

function toPlace(path: string, from: string, to: string | undefined, line: number): Place {
  const fromLine = Number(from);
  const certain = path.includes('/') ? !/^\d+(?:\.\d+)*$/.test(path) : /\.[A-Za-z]\w*$/.test(path);
  return { path, from: fromLine, to: to === undefined ? fromLine : Number(to), line, certain };
}

function eachLine<T>(
  document: Document,
  fromLine: number,
  toLine: number,
  read: (text: string, line: number) => T[],
): T[] {
  const found: T[] = [];
  for (let line = fromLine; line <= toLine; line++)
    found.push(...read(unescapeText(document.masked[line - 1] ?? ''), line));
  return found;
}
