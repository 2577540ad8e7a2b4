// Finds the one key of ours in what goes to an attached run: Ctrl-] (or another), in each form a terminal may send it.
// Everything else is passed byte by byte, as it came.
import { InputDecoder } from '../input/decoder.ts';

export interface PrefixKey {
  /** As a person says it. */
  readonly name: string;
  readonly byte: number;
  /** The same key when the run has switched on another keyboard protocol. */
  readonly forms: readonly Buffer[];
}

/** `C-]`, `C-\`, `C-^`, `C-_` or `C-` with a letter. */
export function prefixKey(setting: string): PrefixKey {
  const character = /^C-(.)$/.exec(setting)?.[1]?.toLowerCase() ?? ']';
  const code = character.codePointAt(0) ?? 0x5d;
  const forms = [`\u001b[${code};5u`, `\u001b[${code};5:1u`, `\u001b[27;5;${code}~`];
  return { name: `Ctrl-${character}`, byte: code & 0x1f, forms: forms.map((form) => Buffer.from(form)) };
}

export type Passed =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'prefix' }
  /** The key after the prefix. */
  | { readonly kind: 'key'; readonly key: string };

export class PrefixScanner {
  private readonly prefix: PrefixKey;
  private armed = false;
  private decoder = new InputDecoder();

  constructor(prefix: PrefixKey) {
    this.prefix = prefix;
  }

  push(chunk: Buffer): Passed[] {
    const passed: Passed[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.armed) {
        const { key, used } = this.afterPrefix(rest);
        if (key !== null) {
          this.armed = false;
          passed.push({ kind: 'key', key });
        }
        rest = rest.subarray(used);
        continue;
      }
      const found = this.find(rest);
      if (found === null) {
        passed.push({ kind: 'bytes', bytes: rest });
        break;
      }
      if (found.at > 0) passed.push({ kind: 'bytes', bytes: rest.subarray(0, found.at) });
      passed.push({ kind: 'prefix' });
      this.armed = true;
      this.decoder = new InputDecoder();
      rest = rest.subarray(found.at + found.length);
    }
    return passed;
  }

  /** Byte by byte, so that what follows the key still goes to the run. */
  private afterPrefix(bytes: Buffer): { key: string | null; used: number } {
    const again = this.find(bytes);
    if (again !== null && again.at === 0) return { key: 'prefix', used: again.length };
    for (let i = 0; i < bytes.length; i++) {
      const [event] = this.decoder.push(bytes.subarray(i, i + 1));
      if (event?.kind === 'key') return { key: event.key, used: i + 1 };
    }
    // A lone ESC is the Escape key: nobody waits for the rest of a sequence here.
    const [expired] = this.decoder.pending() === 'escape' ? this.decoder.expire() : [];
    return { key: expired?.kind === 'key' ? expired.key : null, used: bytes.length };
  }

  private find(bytes: Buffer): { at: number; length: number } | null {
    let best: { at: number; length: number } | null = null;
    const consider = (at: number, length: number) => {
      if (at >= 0 && (best === null || at < best.at)) best = { at, length };
    };
    consider(bytes.indexOf(this.prefix.byte), 1);
    for (const form of this.prefix.forms) consider(bytes.indexOf(form), form.length);
    return best;
  }
}
