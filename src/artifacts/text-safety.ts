// What an artifact must be before it is parsed: text, of a bounded size and shape. A person reads it where a decision is
// taken, so characters that can make text look like something else are refused as well.
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName } from '../core/stage.ts';
import { normalizeText } from './markdown.ts';

/** Ten times the largest artifact that a person would read before a decision. */
export const maxArtifactBytes = 256 * 1024;
/** Longer lines are data, not prose, and cost the parser more than linear time. */
const maxLineLength = 4_000;
/** Deeper nesting has no meaning here and would recurse as deep. */
const maxNesting = 40;

export function checkText(artifact: ArtifactName, text: string): Problem[] {
  const say = (line: number | null, rule: string, message: string): Problem => ({
    file: artifact,
    line,
    rule,
    message,
  });
  if (Buffer.byteLength(text) > maxArtifactBytes) {
    return [
      say(
        null,
        'artifact-too-large',
        `it is larger than ${maxArtifactBytes / 1024} KiB: keep the substance and record long output as evidence`,
      ),
    ];
  }
  const lines = normalizeText(text).split('\n');
  if (lines.every((line) => line.trim() === '')) return [say(null, 'artifact-empty', 'it is empty')];
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    // eslint-disable-next-line no-control-regex -- finding them is the point
    if (/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/.test(line))
      return [say(number, 'control-character', 'it holds a control character: artifacts are plain text')];
    if (/[\u202A-\u202E\u2066-\u2069]/.test(line))
      return [say(number, 'direction-character', 'it holds a character that reorders text on screen: remove it')];
    if (line.includes('\uFFFD')) return [say(number, 'not-text', 'it is not valid UTF-8 text')];
    if (line.length > maxLineLength)
      return [
        say(
          number,
          'line-too-long',
          `the line is longer than ${maxLineLength} characters: break it, or record it as evidence`,
        ),
      ];
    const markers = /^(?:\s*(?:[>*+-]|\d{1,9}[.)]))*/.exec(line)?.[0].replace(/\s/g, '').length ?? 0;
    if (markers > maxNesting && !/^\s*([-*])(?:\s*\1)*\s*$/.test(line))
      return [say(number, 'nesting-too-deep', 'it is nested too deeply')];
  }
  return [];
}
