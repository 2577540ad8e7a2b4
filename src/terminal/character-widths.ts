// How many columns characters take. xterm knows Unicode 6, where no emoji is wide; programs of today count emoji, flags,
// keycaps and joined sequences as two columns (as the string-width package does), and a screen that counts otherwise
// shows their frames torn. Follows the extended grapheme rules of UAX #29 as far as widths depend on them.
import type { IUnicodeVersionProvider } from '@xterm/headless';

const version = 'gatehouse';

/** What came before, carried by xterm from one character to the next. */
const state = { none: 0, pictograph: 1, joiner: 2, regional: 3, keycapBase: 4 } as const;

const zeroWidthJoiner = 0x200d;
const emojiVariation = 0xfe0f;

const isPictograph = 1;
const isWideEmoji = 2;
/** Looked at once per character and kept: 0 is "not looked at yet". */
const known = new Uint8Array(0x20000);
const looked = 4;

/** `older` is xterm's own table: right about everything but emoji. */
export function characterWidths(older: Pick<IUnicodeVersionProvider, 'wcwidth'>): IUnicodeVersionProvider {
  return {
    version,
    wcwidth: (code) => ((emojiKind(code) & isWideEmoji) !== 0 ? 2 : older.wcwidth(code)),
    charProperties(code, preceding) {
      // Nearly everything that programs print.
      if (code < 0x7f && code >= 0x20) return pack(isKeycapBase(code) ? state.keycapBase : state.none, 1, false);
      const before = preceding >> 3;
      const widthBefore = (preceding >> 1) & 3;
      if (widthBefore > 0) {
        const joined = joinState(code, before);
        if (joined !== null) return pack(joined.state, Math.max(widthBefore, joined.width), true);
      }
      if (isRegional(code)) return pack(state.regional, 1, false);
      const kind = emojiKind(code);
      const width = (kind & isWideEmoji) !== 0 ? 2 : older.wcwidth(code);
      if (width === 0 && widthBefore > 0) return pack(before, widthBefore, true);
      return pack((kind & isPictograph) !== 0 ? state.pictograph : state.none, width, false);
    },
  };
}

/** Could these two become one when they are printed one after the other? */
export function isJoining(before: string, after: string): boolean {
  const code = after.codePointAt(0) ?? 0;
  return isRegional(code) || isSkinTone(code) || before.endsWith('\u200d');
}

/** Does this character become one with what came before? `width` is what it asks for. */
function joinState(code: number, before: number): { state: number; width: number } | null {
  if (before === state.pictograph) {
    if (code === zeroWidthJoiner) return { state: state.joiner, width: 0 };
    if (code === emojiVariation || isSkinTone(code)) return { state: state.pictograph, width: 2 };
    if (code >= 0xe0020 && code <= 0xe007f) return { state: state.pictograph, width: 0 };
  }
  if (before === state.joiner && (emojiKind(code) & isPictograph) !== 0) return { state: state.pictograph, width: 2 };
  if (before === state.regional && isRegional(code)) return { state: state.none, width: 2 };
  if (before === state.keycapBase && code === emojiVariation) return { state: state.keycapBase, width: 2 };
  return null;
}

function emojiKind(code: number): number {
  // Between the symbols and the supplementary planes there are letters only, and line drawing is no emoji either.
  if (code < 0xa9 || code >= known.length || (code > 0x3299 && code < 0x1f000) || (code >= 0x2500 && code < 0x25a0))
    return 0;
  const found = known[code] ?? 0;
  if (found !== 0) return found;
  const text = String.fromCodePoint(code);
  const kind =
    looked |
    (/\p{Extended_Pictographic}/u.test(text) ? isPictograph : 0) |
    (/\p{Emoji_Presentation}/u.test(text) && !isRegional(code) ? isWideEmoji : 0);
  known[code] = kind;
  return kind;
}

function isRegional(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

function isKeycapBase(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x23 || code === 0x2a;
}

/** The form that xterm expects: state, two bits of width, one bit for "joins". */
function pack(nextState: number, width: number, joins: boolean): number {
  return (nextState << 3) | (width << 1) | (joins ? 1 : 0);
}
