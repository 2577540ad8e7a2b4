// What the decoder makes of bytes. A key is one string: a printable character as itself, others by name
// (`enter`, `escape`, `up`, `C-d`, `S-tab`), so that key tables are plain objects.
export type InputEvent =
  | {
      readonly kind: 'key';
      readonly key: string;
      /** More input stood behind it in the same chunk: nobody types that fast, an unbracketed paste does. */
      readonly more: boolean;
    }
  | { readonly kind: 'paste'; readonly text: string };

/** Not typed by hand: a paste, or the line break in one that the terminal has not marked. */
export function isPasted(event: InputEvent): boolean {
  return event.kind === 'paste' || (event.key === 'enter' && event.more);
}

/** A key that stands for text typed into a field: exactly one character. */
export function isText(key: string): boolean {
  const [first = ''] = key;
  return key !== '' && first.length === key.length;
}

const named: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'C-j',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/** C0 bytes and DEL. */
export function controlKey(code: number): string {
  if (code === 0) return 'C-space';
  return named[code] ?? (code < 27 ? `C-${String.fromCharCode(code + 96)}` : `C-${String.fromCharCode(code + 64)}`);
}

const finals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'S-tab',
};

const tildes: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};

/** The key of a complete CSI or SS3 sequence; null for everything that is no key: replies, mouse, focus, key releases. */
export function sequenceKey(parameters: string, final: string): string | null {
  if (/^[<=>?]/.test(parameters)) return null;
  const [first = '', second = ''] = parameters.split(';');
  if (second.split(':')[1] === '3') return null;
  const modifiers = Number.parseInt(second, 10) || 1;
  if (final === 'u') return codePointKey(Number.parseInt(first, 10), modifiers);
  if (final === '~') {
    if (first === '27') return codePointKey(Number.parseInt(parameters.split(';')[2] ?? '', 10), modifiers);
    const name = tildes[Number.parseInt(first, 10)];
    return name === undefined ? null : modified(name, modifiers);
  }
  const name = finals[final];
  return name === undefined ? null : modified(name, modifiers);
}

function codePointKey(code: number, modifiers: number): string | null {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff || (code >= 57344 && code <= 63743)) return keypad(code);
  const name = named[code];
  if (name !== undefined) return name === 'tab' && hasShift(modifiers) ? 'S-tab' : modified(name, modifiers);
  const character = String.fromCodePoint(code);
  if (hasControl(modifiers)) return `C-${character.toLowerCase()}`;
  if (hasAlt(modifiers)) return null;
  return hasShift(modifiers) ? character.toUpperCase() : character;
}

/** kitty reports keypad keys in the private use area. */
function keypad(code: number): string | null {
  if (code >= 57399 && code <= 57408) return String(code - 57399);
  const names: Readonly<Record<number, string>> = {
    57414: 'enter',
    57417: 'left',
    57418: 'right',
    57419: 'up',
    57420: 'down',
  };
  return names[code] ?? null;
}

function modified(name: string, modifiers: number): string | null {
  if (hasAlt(modifiers)) return null;
  if (hasControl(modifiers)) return `C-${name}`;
  return hasShift(modifiers) && name !== 'enter' && name !== 'backspace' ? `S-${name}` : name;
}

const hasShift = (modifiers: number) => ((modifiers - 1) & 1) !== 0;
const hasAlt = (modifiers: number) => ((modifiers - 1) & 2) !== 0;
const hasControl = (modifiers: number) => ((modifiers - 1) & 4) !== 0;
