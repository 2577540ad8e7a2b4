// What arrives at the terminal as key presses, text and pastes. Replies of the terminal and keys without a meaning here are
// swallowed whole, so that they never end up as text.

export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'enter' | 'newline' | 'escape' | 'interrupt' | 'end' | 'erase' | 'clear' | 'up' | 'down' };

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** CSI, OSC/DCS/APC with their end, SS3, and two-byte sequences. */
const sequence = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^][^\u0007\u001b]*(?:\u0007|\u001b\\)|O.|[^[\]P_^O])/u;

/** A lone escape byte is the key when nothing follows it for this long. */
export const escapeWaitMs = 30;

export class KeyDecoder {
  private readonly decoder = new TextDecoder('utf-8');
  private rest = '';

  /** True when an escape byte waits for what may follow it. */
  get waiting(): boolean {
    return this.rest === '\u001b';
  }

  push(chunk: Uint8Array): Key[] {
    this.rest += this.decoder.decode(chunk, { stream: true });
    const keys: Key[] = [];
    while (this.rest !== '') {
      const key = this.next();
      if (key === 'incomplete') break;
      if (key !== null) keys.push(key);
    }
    return keys;
  }

  /** Nothing followed: the escape byte was the key. */
  flush(): Key[] {
    if (!this.waiting) return [];
    this.rest = '';
    return [{ type: 'escape' }];
  }

  private next(): Key | null | 'incomplete' {
    if (this.rest.startsWith(pasteStart)) {
      const end = this.rest.indexOf(pasteEnd);
      if (end === -1) return 'incomplete';
      const text = this.rest.slice(pasteStart.length, end);
      this.rest = this.rest.slice(end + pasteEnd.length);
      return { type: 'paste', text: text.replace(/\r\n?/g, '\n') };
    }
    if (this.rest.startsWith('\u001b')) return this.escapeSequence();
    const [text = ''] = /^[^\u0000-\u001f\u007f]+/u.exec(this.rest) ?? [];
    if (text !== '') {
      this.rest = this.rest.slice(text.length);
      return { type: 'text', text };
    }
    const control = this.rest.charAt(0);
    this.rest = this.rest.slice(1);
    return controlKey(control);
  }

  private escapeSequence(): Key | null | 'incomplete' {
    const match = sequence.exec(this.rest);
    if (match === null) {
      // What never ends cannot be waited for without a limit.
      if (this.rest.length < 4096) return 'incomplete';
      this.rest = '';
      return null;
    }
    this.rest = this.rest.slice(match[0].length);
    if (match[0] === '\u001b[A' || match[0] === '\u001bOA') return { type: 'up' };
    if (match[0] === '\u001b[B' || match[0] === '\u001bOB') return { type: 'down' };
    if (match[0] === '\u001b\r') return { type: 'newline' };
    return null;
  }
}

function controlKey(control: string): Key | null {
  switch (control) {
    case '\r':
      return { type: 'enter' };
    case '\n':
      return { type: 'newline' };
    case '\u0003':
      return { type: 'interrupt' };
    case '\u0004':
      return { type: 'end' };
    case '\u007f':
    case '\b':
      return { type: 'erase' };
    case '\u0015':
      return { type: 'clear' };
    default:
      return null;
  }
}
