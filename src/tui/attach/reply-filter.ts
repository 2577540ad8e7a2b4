// What the operator's terminal sends by itself (answers to queries, reports) is not typed text and must not reach a run.
// Keys, mouse, focus and pastes pass byte by byte. Sequences may be cut anywhere, so the beginning of one is held a moment.

/** Alone for this long, ESC is a key. */
const escapeMs = 25;
/** A reply comes in one go; what is still unfinished then was typed. */
const sequenceMs = 150;
const pasteStart = Buffer.from('\u001b[200~');
const pasteEnd = Buffer.from('\u001b[201~');

export class ReplyFilter {
  private readonly forward: (bytes: Buffer) => void;
  private held: Buffer = Buffer.alloc(0);
  private pasting = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(forward: (bytes: Buffer) => void) {
    this.forward = forward;
  }

  push(chunk: Buffer): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = Buffer.alloc(0);
    const out: Buffer[] = [];
    let from = 0;
    while (from < bytes.length) from = this.step(bytes, from, out);
    if (out.length > 0) this.forward(out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out));
    if (this.held.length === 0) return;
    this.timer = setTimeout(() => this.release(), this.held.length === 1 ? escapeMs : sequenceMs);
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** The index to go on from. */
  private step(bytes: Buffer, from: number, out: Buffer[]): number {
    if (this.pasting) return this.paste(bytes, from, out);
    const start = bytes.indexOf(0x1b, from);
    if (start === -1) {
      out.push(bytes.subarray(from));
      return bytes.length;
    }
    if (start > from) out.push(bytes.subarray(from, start));
    if (bytes.subarray(start, start + pasteStart.length).equals(pasteStart)) {
      this.pasting = true;
      out.push(pasteStart);
      return start + pasteStart.length;
    }
    const judged = judge(bytes.subarray(start));
    if (judged === 'unfinished') {
      this.held = Buffer.from(bytes.subarray(start));
      return bytes.length;
    }
    if (!judged.reply) out.push(bytes.subarray(start, start + judged.length));
    return start + judged.length;
  }

  private paste(bytes: Buffer, from: number, out: Buffer[]): number {
    const end = bytes.indexOf(pasteEnd, from);
    // The end mark may be cut; it is passed all the same, and only the state would be lost: keep what may begin it.
    const to = end === -1 ? bytes.length - partialSuffix(bytes.subarray(from)) : end + pasteEnd.length;
    if (to > from) out.push(bytes.subarray(from, to));
    if (end !== -1) this.pasting = false;
    else if (to < bytes.length) this.held = Buffer.from(bytes.subarray(to));
    return end === -1 ? bytes.length : to;
  }

  private release(): void {
    this.timer = null;
    const bytes = this.held;
    this.held = Buffer.alloc(0);
    // Half of an answer is thrown away; half of anything else was typed.
    if (!isReplyStart(bytes)) this.forward(bytes);
  }
}

type Judged = { readonly length: number; readonly reply: boolean } | 'unfinished';

function judge(bytes: Buffer): Judged {
  const second = bytes[1];
  if (second === undefined) return 'unfinished';
  if (second === 0x5d || second === 0x50) {
    const text = bytes.toString('latin1');
    const match = /\u0007|\u001b\\/.exec(text.slice(2));
    return match === null ? 'unfinished' : { length: 2 + match.index + match[0].length, reply: true };
  }
  if (second !== 0x5b) return { length: 2, reply: false };
  const match = /^\u001b\[([0-?]*)([ -/]*)([@-~])?/.exec(bytes.toString('latin1', 0, 64));
  const [whole = '', parameters = '', intermediates = '', final] = match ?? [];
  if (final === undefined) {
    if (whole.length === bytes.length && bytes.length < 64) return 'unfinished';
    return { length: Math.max(2, whole.length), reply: false };
  }
  // A reply of one letter only (`CSI R`) is F3 of some terminals; with two numbers above the modifiers it is a position.
  return { length: whole.length, reply: isReply(parameters, intermediates, final) };
}

function isReply(parameters: string, intermediates: string, final: string): boolean {
  if (final === 'y') return intermediates === '$';
  if (final === 'c') return /^[?>=]/.test(parameters);
  if (final === 'n') return true;
  if (final === 't') return true;
  if (final === 'u') return parameters.startsWith('?');
  if (final === 'R') return !/^(1;([2-9]|1[0-6]))?$/.test(parameters);
  return false;
}

function isReplyStart(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 8);
  return text.length > 2 && /^\u001b(\][0-9]|P[0-9>$+!]|\[[?>=])/.test(text);
}

/** How many bytes at the end may be the beginning of the end mark. */
function partialSuffix(bytes: Buffer): number {
  for (let length = Math.min(pasteEnd.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(pasteEnd.subarray(0, length))) return length;
  }
  return 0;
}
