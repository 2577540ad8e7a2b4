// What a run prints, on its way to the operator's own terminal. Everything passes but what would reach beyond the view:
// queries (the host has answered them; a second answer would be typed into the run), the clipboard (unless allowed), the
// alternate screen (the console stays in its own, so that the operator's scrollback is never touched), and erasing the
// operator's scrollback.

/** What happened that the attached view must act on. */
interface FilterEvents {
  /** The run went to its other screen: `left` means that what it had before must be painted again. */
  readonly onAlternate?: (state: 'entered' | 'left') => void;
}

export interface FilterOptions extends FilterEvents {
  readonly allowClipboard: boolean;
}

const esc = 0x1b;
const bel = 0x07;
/** A string sequence longer than this is no title and no colour; it is dropped instead of held. */
const maxHeld = 1024 * 1024;

export class OutputFilter {
  private readonly options: FilterOptions;
  private held: Buffer = Buffer.alloc(0);

  constructor(options: FilterOptions) {
    this.options = options;
  }

  /** The bytes that may be written now; the beginning of an unfinished sequence is kept. */
  push(chunk: Buffer): Buffer {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = Buffer.alloc(0);
    const out: Buffer[] = [];
    let from = 0;
    for (;;) {
      const start = bytes.indexOf(esc, from);
      if (start === -1) {
        out.push(bytes.subarray(from));
        break;
      }
      if (start > from) out.push(bytes.subarray(from, start));
      const end = sequenceEnd(bytes, start);
      if (end === -1) {
        if (bytes.length - start <= maxHeld) this.held = Buffer.from(bytes.subarray(start));
        break;
      }
      out.push(this.filter(bytes.subarray(start, end)));
      from = end;
    }
    return out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out);
  }

  private filter(sequence: Buffer): Buffer {
    const kind = sequence[1];
    if (kind === 0x5b) return this.filterCsi(sequence);
    if (kind === 0x5d) return this.filterOsc(sequence);
    // DCS: status and capability queries; passthrough to an outer terminal; pictures would stay on our screen.
    if (kind === 0x50) return none;
    // APC (kitty pictures), PM, SOS: nothing that a text view shows. ESC c: a full reset would leave our screen.
    if (kind === 0x5f || kind === 0x5e || kind === 0x58) return none;
    if (kind === 0x63) return Buffer.from('\u001b[0m\u001b[H\u001b[2J');
    return kind === 0x5a ? none : sequence;
  }

  private filterOsc(sequence: Buffer): Buffer {
    const text = sequence.subarray(2, 40).toString('latin1');
    if (text.startsWith('52;')) return this.options.allowClipboard ? sequence : none;
    // Notifications go through the host; colour settings would stay behind, colour queries must not be answered twice.
    return /^(9|99|777|4|5|10|11|12|13|14|15|16|17|18|19|104|105|11\d)[;\u0007\u001b]/.test(text) ? none : sequence;
  }

  private filterCsi(sequence: Buffer): Buffer {
    const text = sequence.toString('latin1');
    if (isQuery(text) || text === '\u001b[3J') return none;
    const modes = /^\u001b\[\?([\d;]+)([hl])$/.exec(text);
    if (modes === null) return sequence;
    const [, list = '', final = ''] = modes;
    const numbers = list.split(';');
    const kept = numbers.filter((mode) => !['47', '1047', '1049'].includes(mode));
    if (kept.length === numbers.length) return sequence;
    this.options.onAlternate?.(final === 'h' ? 'entered' : 'left');
    const rest = kept.length === 0 ? '' : `\u001b[?${kept.join(';')}${final}`;
    return Buffer.from(`${rest}\u001b[0m\u001b[H\u001b[2J`);
  }
}

const none = Buffer.alloc(0);

/** Whatever makes a terminal send bytes back. */
function isQuery(sequence: string): boolean {
  const final = sequence.at(-1) ?? '';
  const body = sequence.slice(2, -1);
  switch (final) {
    case 'c':
      return true;
    case 'n':
      return !body.startsWith('>');
    case 'p':
      return body.endsWith('$');
    case 'q':
      return body.startsWith('>');
    case 'u':
      return body === '?';
    case 't':
      return /^(11|13|14|15|16|18|19|20|21|22|23)(;|$)/.test(body) || /^[1-9](;|$)/.test(body);
    case 'm':
      return body.startsWith('?');
    case 'x':
      return true;
    default:
      return false;
  }
}

/** Index after the sequence that begins at `start`; -1 while its end has not arrived. */
function sequenceEnd(bytes: Buffer, start: number): number {
  const kind = bytes[start + 1];
  if (kind === undefined) return -1;
  if (kind === 0x5b) return csiEnd(bytes, start + 2);
  if (kind === 0x5d || kind === 0x50 || kind === 0x5f || kind === 0x5e || kind === 0x58)
    return stringEnd(bytes, start + 2);
  // ESC, intermediates, final.
  for (let i = start + 1; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20 || byte > 0x2f) return byte === esc ? i : i + 1;
  }
  return -1;
}

function csiEnd(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === esc) return i;
    if (byte >= 0x40 && byte <= 0x7e) return i + 1;
  }
  return -1;
}

function stringEnd(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === bel || byte === 0x18 || byte === 0x1a) return i + 1;
    if (byte !== esc) continue;
    if (bytes[i + 1] === undefined) return -1;
    return bytes[i + 1] === 0x5c ? i + 2 : i;
  }
  return -1;
}
