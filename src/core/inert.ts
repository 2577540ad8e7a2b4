// Text that an agent controls, made harmless to show: no control sequence, no bidi trick, one line where asked.

// C0 but tab and newline, DEL, C1.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Bidi embeddings, overrides and isolates; marks; zero-width characters that hide text (ZWJ and VS stay: emoji need them).
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
// A whole escape sequence goes, so that its parameters do not stay behind as text.
const sequences =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b[PX^_\]]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Many lines: newlines and tabs stay (tabs as two spaces). */
export function inertText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(sequences, '')
    .replace(/\t/g, '  ')
    .replace(controls, '\ufffd')
    .replace(invisible, '');
}

/** One line: line breaks become a space. */
export function inertLine(text: string): string {
  return inertText(text.replace(/[\r\n\u2028\u2029\u0085]+/g, ' ')).trim();
}
