// The last escape sequence, while it is not complete. Needed only when a snapshot falls between two
// pieces of a sequence: the second piece would otherwise show up as text. Follows the parser of
// https://vt100.net/emu/dec_ansi_parser as far as beginnings and ends go.

type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string';

/** A string may go on for ever. What lies beyond this is no title and no link any more. */
const maxKeptChars = 64 * 1024;

export class UnfinishedSequence {
  private state: State = 'ground';
  private kept = '';

  /** Its text so far; empty between sequences. */
  get text(): string {
    return this.kept;
  }

  /** No sequence is under way. */
  end(): void {
    this.state = 'ground';
    this.kept = '';
  }

  push(text: string): void {
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === 0x1b || isC1Opener(code)) {
        start = index;
        this.kept = '';
        this.state = code === 0x1b ? 'escape' : code === 0x9b ? 'csi' : 'string';
      } else if (endsAnything(code)) {
        this.state = 'ground';
      } else {
        this.state = advance(this.state, code);
      }
    }
    if (this.state === 'ground') this.kept = '';
    else if (this.kept.length < maxKeptChars) this.kept += text.slice(start, start + maxKeptChars);
  }
}

function advance(state: State, code: number): State {
  switch (state) {
    case 'ground':
      return 'ground';
    case 'escape':
      if (code === 0x5b) return 'csi';
      // P, X, ], ^, _ begin strings.
      if (code === 0x50 || code === 0x58 || (code >= 0x5d && code <= 0x5f)) return 'string';
      if (code >= 0x20 && code <= 0x2f) return 'intermediate';
      return code < 0x20 || code === 0x7f ? 'escape' : 'ground';
    case 'intermediate':
      return code <= 0x2f || code === 0x7f ? 'intermediate' : 'ground';
    case 'csi':
      return code < 0x40 || code === 0x7f ? 'csi' : 'ground';
    case 'string':
      return code === 0x07 ? 'ground' : 'string';
  }
}

function isC1Opener(code: number): boolean {
  return code === 0x90 || code === 0x98 || code === 0x9b || (code >= 0x9d && code <= 0x9f);
}

/** CAN, SUB and the other C1 controls, among them ST. */
function endsAnything(code: number): boolean {
  return code === 0x18 || code === 0x1a || (code >= 0x80 && code <= 0x9f);
}
