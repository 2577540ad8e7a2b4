// YAML front matter between two lines of `---` at the start of a Markdown file.
import { parse } from 'yaml';
import { normalizeText } from './text-safety.ts';

export type FrontMatter =
  | { readonly ok: true; readonly data: unknown; readonly body: string }
  | { readonly ok: false; readonly why: string };

export function readFrontMatter(text: string): FrontMatter {
  const match = /^---\n([\s\S]*?)\n---(?:\n|$)([\s\S]*)$/.exec(normalizeText(text));
  if (match === null) return { ok: false, why: 'it does not start with front matter between two lines of ---' };
  try {
    // Aliases are refused: a few lines of them can grow to gigabytes.
    return { ok: true, data: parse(match[1] ?? '', { maxAliasCount: 0 }), body: match[2] ?? '' };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
