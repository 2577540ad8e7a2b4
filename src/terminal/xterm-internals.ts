// What we need of @xterm/headless beyond its public types: parser state, cursor, saved cursor, mouse encoding, styles.
// One place, so that an update of the package breaks one file (and its test), not ten.
import xterm from '@xterm/headless';
import { characterWidths } from './character-widths.ts';

export type Terminal = xterm.Terminal;

export function newTerminal(options: { cols: number; rows: number; scrollback: number }): Terminal {
  const terminal = new xterm.Terminal({
    ...options,
    allowProposedApi: true,
    // What it cannot parse it would print, with its whole state: onto the operator's screen, where a console watches.
    logLevel: 'off',
    // Programs save and restore the title, and ask for the size in cells.
    windowOptions: { pushTitle: true, popTitle: true, getWinSizeChars: true },
  });
  const widths = characterWidths(coreOf(terminal).unicodeService._activeProvider);
  terminal.unicode.register(widths);
  terminal.unicode.activeVersion = widths.version;
  return terminal;
}

/** Colour modes as xterm stores them. */
export const colorMode = { default: 0, palette16: 0x1000000, palette256: 0x2000000, rgb: 0x3000000 } as const;
export const colorModeMask = 0x3000000;

export interface CellStyle {
  isBold(): number;
  isDim(): number;
  isItalic(): number;
  isBlink(): number;
  isInverse(): number;
  isInvisible(): number;
  isStrikethrough(): number;
  isOverline(): number;
  isProtected(): number;
  getFgColorMode(): number;
  getBgColorMode(): number;
  getFgColor(): number;
  getBgColor(): number;
  hasExtendedAttrs(): number;
  /** Flags and foreground; read raw because xterm's own `isUnderline` counts every hyperlink as underlined. */
  readonly fg: number;
  readonly extended: { readonly _ext: number; readonly underlineColor: number; readonly urlId: number };
}

export function isUnderlined(style: CellStyle): boolean {
  return (style.fg & 0x10000000) !== 0;
}

/** 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
export function underlineShape(style: CellStyle): number {
  return style.hasExtendedAttrs() ? (style.extended._ext >>> 26) & 7 : 1;
}

export interface Cell extends CellStyle {
  getWidth(): number;
  getChars(): string;
}

export interface Line {
  readonly isWrapped: boolean;
  loadCell(x: number, cell: Cell): Cell;
  getWidth(x: number): number;
}

export interface ScreenBuffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly lines: { readonly length: number; get(index: number): Line | undefined };
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: CellStyle;
  readonly savedCharset: Charset | undefined;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean>>;
}

export type Charset = Readonly<Record<string, string>>;

interface Core {
  /** Unlike the public one it hands out the parameters that the parser works with. */
  registerCsiHandler(id: { final: string }, handler: (params: { readonly params: Int32Array }) => boolean): void;
  readonly buffers: { readonly normal: ScreenBuffer; readonly alt: ScreenBuffer; readonly active: ScreenBuffer };
  readonly coreMouseService: { readonly activeEncoding: 'DEFAULT' | 'SGR' | 'SGR_PIXELS' };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: { readonly cursorStyle?: CursorShape; readonly cursorBlink?: boolean };
  };
  readonly unicodeService: { readonly _activeProvider: Pick<xterm.IUnicodeVersionProvider, 'wcwidth'> };
  readonly _charsetService: {
    readonly glevel: number;
    readonly charset: Charset | undefined;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _oscLinkService: { getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined };
  readonly _inputHandler: {
    parse(text: string): unknown;
    /** `precedingJoinState` is 0 when the next character cannot combine with the one before. */
    readonly _parser: { readonly currentState: number; readonly precedingJoinState: number };
    readonly _curAttrData: CellStyle;
  };
}

export type CursorShape = 'block' | 'underline' | 'bar';

export function coreOf(terminal: Terminal): Core {
  return (terminal as unknown as { readonly _core: Core })._core;
}

/** A cell object to be filled by `loadCell`; one is enough for a whole walk over the screen. */
export function scratchCell(terminal: Terminal): Cell {
  return terminal.buffer.active.getNullCell() as unknown as Cell;
}

/** False in the middle of an escape sequence. */
export function isGround(terminal: Terminal): boolean {
  return coreOf(terminal)._inputHandler._parser.currentState === 0;
}
