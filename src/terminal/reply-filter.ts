// Takes the answers of a real terminal out of what is typed into it. While a session is attached, its queries reach the
// operator's terminal as well, and that one answers too; but the host is the answerer. A reply must never arrive as
// typed text. Everything else passes byte by byte, whatever the pieces it comes in.
//
// What cannot be told apart: `CSI 1 ; 2..8 R` is F3 with a modifier and a cursor report of row 1; it passes as the key.

type State = 'ground' | 'escape' | 'csi' | 'mouse' | 'paste' | 'prefix' | 'dropping' | 'dropping-escape';

const esc = 0x1b;
const bel = 0x07;
const pasteEnd = Buffer.from('\x1b[201~');
/** A CSI from a keyboard or mouse is shorter; what is longer is nothing that we know and passes. */
const longestCsi = 64;
/** Three bytes follow `CSI M` (the old mouse report). */
const oldMouseBytes = 3;

/** Beginnings of string replies behind `ESC ]`: colours, clipboard, notifications, text size, iTerm capabilities. */
const oscReply = /^(4|5|1\d|52|66|99|1337|777|l|L)(;|$)/;
/** ... and behind `ESC P`: version, DA3, XTGETTCAP, DECRQSS, tmux pass-through. */
const dcsReply = /^([>!]\||[01][+$]r|tmux;)/;

export class ReplyFilter {
  private state: State = 'ground';
  /** Bytes of a sequence that may still turn out either way. */
  private held: number[] = [];
  private mouseLeft = 0;
  private pasteMatched = 0;
  private introducer = 0;
  private out: number[] = [];

  /** @returns what is to be typed into the session now. */
  push(bytes: Uint8Array): Buffer {
    for (const byte of bytes) this.take(byte);
    return this.emit();
  }

  /** True when nothing more may be arriving, and `flush` would decide: call that about 30 ms after the last byte. */
  get isWaiting(): boolean {
    return this.state !== 'ground' && this.state !== 'paste';
  }

  /**
   * Nothing has followed for a while. A lone ESC, or ESC and one more key, was typed by a person. Anything longer is part
   * of a reply on a slow line and goes on waiting, unless this is the `last` call (say, after a second).
   */
  flush(last = false): Buffer {
    if (this.held.length <= 2 || last) {
      const isReply = this.state === 'dropping' || this.state === 'dropping-escape';
      if (!isReply) this.release();
      else if (last) this.reset();
    }
    return this.emit();
  }

  private take(byte: number): void {
    switch (this.state) {
      case 'ground':
        if (byte === esc) this.hold(byte, 'escape');
        else this.out.push(byte);
        return;
      case 'escape':
        return this.afterEscape(byte);
      case 'csi':
        return this.inCsi(byte);
      case 'mouse':
        this.out.push(byte);
        this.mouseLeft -= 1;
        if (this.mouseLeft === 0) this.state = 'ground';
        return;
      case 'paste':
        return this.inPaste(byte);
      case 'prefix':
        return this.inPrefix(byte);
      case 'dropping':
        if (byte === bel) this.reset();
        else if (byte === esc) this.state = 'dropping-escape';
        return;
      case 'dropping-escape':
        if (byte === 0x5c) return this.reset();
        // The string was cut off by a new sequence.
        this.reset();
        this.hold(esc, 'escape');
        return this.take(byte);
    }
  }

  private afterEscape(byte: number): void {
    if (byte === 0x5b) return this.hold(byte, 'csi');
    if (byte === 0x5d || byte === 0x50 || byte === 0x5f) {
      this.introducer = byte;
      return this.hold(byte, 'prefix');
    }
    if (byte === esc) {
      // The first one stands alone; the second may begin something.
      this.release();
      return this.hold(byte, 'escape');
    }
    this.held.push(byte);
    this.release();
  }

  private inCsi(byte: number): void {
    if (byte === esc) {
      this.release();
      return this.hold(byte, 'escape');
    }
    this.held.push(byte);
    const isFinal = byte >= 0x40 && byte <= 0x7e;
    if (!isFinal && byte >= 0x20 && byte <= 0x3f && this.held.length < longestCsi) return;
    const body = String.fromCharCode(...this.held.slice(2));
    if (isFinal && isCsiReply(body)) return this.reset();
    this.release();
    if (body === 'M') {
      this.state = 'mouse';
      this.mouseLeft = oldMouseBytes;
    } else if (body === '200~') {
      this.state = 'paste';
      this.pasteMatched = 0;
    }
  }

  /** Pasted text is data, whatever it looks like. */
  private inPaste(byte: number): void {
    this.out.push(byte);
    if (byte === pasteEnd[this.pasteMatched]) this.pasteMatched += 1;
    else this.pasteMatched = byte === esc ? 1 : 0;
    if (this.pasteMatched === pasteEnd.length) this.state = 'ground';
  }

  /** Behind `ESC ]`, `ESC P` or `ESC _`, which are also what Alt with these keys sends. */
  private inPrefix(byte: number): void {
    if (byte === esc || byte === bel) {
      this.release();
      return this.take(byte);
    }
    this.held.push(byte);
    const text = String.fromCharCode(...this.held.slice(2));
    const verdict = judgePrefix(this.introducer, text);
    if (verdict === 'reply') this.state = 'dropping';
    else if (verdict === 'typed') this.release();
  }

  private hold(byte: number, state: State): void {
    this.held.push(byte);
    this.state = state;
  }

  private release(): void {
    this.out.push(...this.held);
    this.reset();
  }

  private reset(): void {
    this.held = [];
    this.state = 'ground';
  }

  private emit(): Buffer {
    const bytes = Buffer.from(this.out);
    this.out = [];
    return bytes;
  }
}

function isCsiReply(body: string): boolean {
  const final = body.at(-1);
  // No key is reported with these prefixes: DA1, DA2, DECRPM, kitty flags, colour scheme, modifyOtherKeys, graphics.
  if (/^[?>=]/.test(body)) return true;
  switch (final) {
    case 'R':
      return /^\d+;\d+R$/.test(body) && !/^1;[2-8]R$/.test(body);
    case 'n':
      return /^[03]n$/.test(body);
    case 'y':
      return /^\d+;\d+\$y$/.test(body);
    case 't':
      // Window and cell sizes, window state and position, in-band resize.
      return /^([1234689]|48)(;\d+)*t$/.test(body);
    case 'c':
      return true;
    default:
      return false;
  }
}

function judgePrefix(introducer: number, text: string): 'reply' | 'typed' | 'open' {
  if (introducer === 0x5f) return text === 'G' ? 'reply' : 'typed';
  const pattern = introducer === 0x5d ? oscReply : dcsReply;
  const match = pattern.exec(text);
  if (match !== null && (introducer === 0x50 || match[2] === ';')) return 'reply';
  const couldBecome =
    introducer === 0x5d ? /^(\d{1,4}|[lL])$/.test(text) : /^([>!]|[01][+$]?|t|tm|tmu|tmux)$/.test(text);
  return couldBecome ? 'open' : 'typed';
}
