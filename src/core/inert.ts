// Text that an agent controls, made harmless to show: no control sequence, no bidi trick, one line where asked.
//
// Harmless also means that nothing is hidden from whoever reads it before a decision. A diff or a proposal could hold
// `ESC ]`, then text, then BEL: a terminal shows none of it, and dropping "the whole sequence" would hide it here, too.
// So only what can carry no text (colours, cursor moves, marks) goes without a trace; in place of everything else stands
// U+FFFD.

/** Digits, separators and one letter: ordinary output is full of them, and they have no room for anything to read. */
const shortSequences = /(?:\u001b\[|\u009b)[\d;:?]*[A-Za-z]/g;

/** C0 but tab and newline, DEL, C1; line separators, which end a comment in some languages and show as nothing. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Bidi embeddings, overrides and isolates; zero-width and filler characters; tags and the other selectors. */
const deceiving =
  /[\u034f\u17b4\u17b5\u180b-\u180f]|[\u00ad\u115f\u1160\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Ordinary in right-to-left prose; reorders nothing but what stands next to it. ZWJ, ZWNJ and VS stay: scripts and emoji need them. */
const directionMarks = /[\u061c\u200e\u200f]/g;

const mark = '\ufffd';

/** Many lines: newlines and tabs stay (tabs as two spaces). */
export function inertText(text: string): string {
  return (
    text
      .replace(/^\ufeff/, '')
      // First: what stands around a mark that goes must not become a sequence.
      .replace(directionMarks, '')
      .replace(/\r\n?/g, '\n')
      .replace(shortSequences, '')
      .replace(/\t/g, '  ')
      .replace(controls, mark)
      .replace(deceiving, mark)
  );
}

/** One line: line breaks become a space. */
export function inertLine(text: string): string {
  return inertText(text.replace(/[\r\n\u2028\u2029\u0085]+/g, ' ')).trim();
}
