// Terminal input, bytes to keys and pastes, however the bytes are cut. Replies of the terminal (colours, attributes,
// cursor reports, kitty flags), mouse and focus reports are dropped here: they must never become text in a field.
import { StringDecoder } from 'node:string_decoder';
import { type InputEvent, controlKey, sequenceKey } from './keys.ts';

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** Enough for any sequence that a terminal sends; more than this is no sequence. */
const maxSequence = 64 * 1024;
/** A paste larger than this is cut; no field of ours takes as much. */
const maxPaste = 1024 * 1024;

type Taken = { readonly length: number; readonly key: string | null } | 'pending';

export class InputDecoder {
  private readonly utf8 = new StringDecoder('utf8');
  private buffer = '';
  private pasting: string | null = null;

  push(bytes: Uint8Array): InputEvent[] {
    this.buffer += this.utf8.write(Buffer.from(bytes));
    const events: InputEvent[] = [];
    while (this.buffer !== '' && this.step(events));
    return events;
  }

  /** `escape`: only ESC is held back, which is a key if nothing follows soon. `sequence`: something is being received. */
  pending(): 'nothing' | 'escape' | 'sequence' {
    // A paste may come slowly; it ends with its mark and at no other time.
    if (this.buffer === '' || this.pasting !== null) return 'nothing';
    return this.buffer === '\u001b' ? 'escape' : 'sequence';
  }

  /** Nothing more has come: a lone ESC was the key; half a sequence is thrown away. */
  expire(): InputEvent[] {
    const lone = this.buffer === '\u001b';
    this.buffer = '';
    return lone ? [{ kind: 'key', key: 'escape', more: false }] : [];
  }

  private step(events: InputEvent[]): boolean {
    if (this.pasting !== null) return this.paste(events);
    if (this.buffer.startsWith(pasteStart)) {
      this.buffer = this.buffer.slice(pasteStart.length);
      this.pasting = '';
      return true;
    }
    const taken = this.buffer.startsWith('\u001b') ? takeEscape(this.buffer) : takeCharacter(this.buffer);
    if (taken === 'pending') {
      if (this.buffer.length > maxSequence) this.buffer = '';
      return false;
    }
    this.buffer = this.buffer.slice(taken.length);
    if (taken.key !== null) events.push({ kind: 'key', key: taken.key, more: this.buffer !== '' });
    return true;
  }

  private paste(events: InputEvent[]): boolean {
    const end = this.buffer.indexOf(pasteEnd);
    if (end === -1) {
      // The end mark itself may be cut; keep as much as could be its beginning.
      const keep = Math.min(this.buffer.length, pasteEnd.length - 1);
      this.pasting = ((this.pasting ?? '') + this.buffer.slice(0, this.buffer.length - keep)).slice(0, maxPaste);
      this.buffer = this.buffer.slice(this.buffer.length - keep);
      return false;
    }
    const text = ((this.pasting ?? '') + this.buffer.slice(0, end)).slice(0, maxPaste);
    this.buffer = this.buffer.slice(end + pasteEnd.length);
    this.pasting = null;
    events.push({ kind: 'paste', text: text.replace(/\r\n?/g, '\n') });
    return true;
  }
}

function takeCharacter(buffer: string): Taken {
  const code = buffer.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return { length: 1, key: controlKey(code) };
  if (code >= 0x80 && code < 0xa0) return { length: 1, key: null };
  const character = String.fromCodePoint(code);
  return { length: character.length, key: character };
}

function takeEscape(buffer: string): Taken {
  const second = buffer[1];
  if (second === undefined) return 'pending';
  if (second === '[') return takeCsi(buffer);
  if (second === 'O') return takeSs3(buffer);
  if (second === ']' || second === 'P' || second === '_' || second === '^' || second === 'X') return takeString(buffer);
  // ESC and a key: in our views that is Escape, then the key; plain Alt is never bound.
  return { length: 1, key: 'escape' };
}

function takeCsi(buffer: string): Taken {
  // X10 mouse: three raw bytes after the final.
  if (buffer[2] === 'M') return buffer.length < 6 ? 'pending' : { length: 6, key: null };
  const match = /^\u001b\[([0-?]*)([ -/]*)([@-~])?/.exec(buffer);
  const [whole = '', parameters = '', intermediates = '', final] = match ?? [];
  if (final === undefined) return whole.length === buffer.length ? 'pending' : { length: whole.length, key: null };
  return { length: whole.length, key: intermediates === '' ? sequenceKey(parameters, final) : null };
}

function takeSs3(buffer: string): Taken {
  const final = buffer[2];
  if (final === undefined) return 'pending';
  if (final === 'M') return { length: 3, key: 'enter' };
  return { length: 3, key: sequenceKey('', final) };
}

/** OSC, DCS, APC, PM, SOS: to ST or BEL. */
function takeString(buffer: string): Taken {
  const match = /\u001b\\|\u0007|\u009c/.exec(buffer.slice(2));
  if (match !== null) return { length: 2 + match.index + match[0].length, key: null };
  return 'pending';
}
