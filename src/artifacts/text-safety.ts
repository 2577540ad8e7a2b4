// What an artifact must be before it is parsed: text, of a bounded size and shape. A person reads it where a decision is
// taken, so characters that can make text look like something else are refused as well.
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName } from '../core/stage.ts';

/** Ten times the largest artifact that a person would read before a decision. */
export const maxArtifactBytes = 256 * 1024;
/** More lines are data, not prose; the largest allowed artifact of prose has about 3,000. */
const maxLines = 8_000;
/** Longer lines are data as well, and cost the parser more than linear time. */
const maxLineLength = 4_000;
/** Deeper nesting has no meaning here and would recurse as deep. */
const maxNesting = 20;
const maxIndent = 60;
/**
 * Brackets, stars and their like cost a Markdown parser quadratic time within one paragraph: 4,000 of them take a second,
 * 100,000 a minute. These bounds keep the worst case within a second and are far above any real text.
 */
const maxMarksInBlock = 800;
const maxMarks = 6_000;

type Fault = Omit<Problem, 'file'>;

export function checkText(artifact: ArtifactName, text: string): Problem[] {
  const fault = findHazard(text) ?? findForeignCharacter(text);
  if (fault !== null) return [{ file: artifact, ...fault }];
  return text.trim() === '' ? [{ file: artifact, line: null, rule: 'artifact-empty', message: 'it is empty' }] : [];
}

/** Without byte order mark, with LF line ends; line numbers do not change. */
export function normalizeText(source: string): string {
  return source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** What would make the Markdown parser slow or recurse deeply; null when there is nothing of the kind. */
export function findHazard(text: string): Fault | null {
  const fault = (line: number | null, rule: string, message: string): Fault => ({ line, rule, message });
  const elsewhere = 'record long output and data as evidence';
  if (Buffer.byteLength(text) > maxArtifactBytes) {
    return fault(null, 'artifact-too-large', `it is larger than ${maxArtifactBytes / 1024} KiB: ${elsewhere}`);
  }
  const lines = normalizeText(text).split('\n');
  if (lines.length > maxLines) {
    return fault(maxLines, 'artifact-too-large', `it has more than ${maxLines} lines: ${elsewhere}`);
  }
  let inBlock = 0;
  let inAll = 0;
  for (const [index, line] of lines.entries()) {
    if (line.length > maxLineLength) {
      return fault(index + 1, 'line-too-long', `it is longer than ${maxLineLength} characters: break it; ${elsewhere}`);
    }
    if (isNestedTooDeep(line)) return fault(index + 1, 'nesting-too-deep', 'it is nested too deeply: write it flatter');
    if (/^\s*$|^ {0,3}(?:[-*+]\s+\S|#{1,6}\s)/.test(line)) inBlock = 0;
    const marks = line.match(/[[\]*_`!<&~\\|@]/g)?.length ?? 0;
    inBlock += marks;
    inAll += marks;
    if (inBlock > maxMarksInBlock || inAll > maxMarks) {
      return fault(index + 1, 'markup-too-dense', `too much punctuation to be prose: ${elsewhere}`);
    }
  }
  return null;
}

function findForeignCharacter(text: string): Fault | null {
  for (const [index, line] of normalizeText(text).split('\n').entries()) {
    const fault = (rule: string, message: string): Fault => ({ line: index + 1, rule, message });
    if (/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/.test(line)) {
      return fault('control-character', 'it holds a control character: artifacts are plain text');
    }
    if (/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(line)) {
      return fault('direction-character', 'it holds a character that reorders text on screen: remove it');
    }
    if (line.includes('\uFFFD')) return fault('not-text', 'it is not valid UTF-8 text');
  }
  return null;
}

function isNestedTooDeep(line: string): boolean {
  if (/^\s*([-*])(?:\s*\1)*\s*$/.test(line)) return false;
  const lead = /^(?:\s*(?:>|[*+-](?=\s)|\d{1,9}[.)](?=\s)))+/.exec(line)?.[0];
  return lead !== undefined && (lead.length > maxIndent || lead.replace(/[^>*+.)-]/g, '').length > maxNesting);
}
