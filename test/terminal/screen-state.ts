// A screen as data, for comparing two of them cell by cell. Reads xterm itself, not the code under test.
import type xterm from '@xterm/headless';
import type { Screen } from '../../src/terminal/screen.ts';

interface RawCell {
  readonly fg: number;
  readonly bg: number;
  getChars(): string;
  getWidth(): number;
  hasExtendedAttrs(): number;
  readonly extended: { readonly _ext: number; readonly underlineColor: number; readonly urlId: number };
}

interface RawBuffer {
  readonly savedX: number;
  readonly savedY: number;
  readonly ybase: number;
  readonly savedCurAttrData: { readonly fg: number; readonly bg: number };
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<string, boolean>>;
}

interface RawCore {
  readonly buffers: { readonly normal: RawBuffer; readonly alt: RawBuffer; readonly active: RawBuffer };
  readonly _inputHandler: {
    readonly _curAttrData: { readonly fg: number; readonly bg: number };
    readonly _parser: { readonly currentState: number };
  };
  readonly _charsetService: { readonly glevel: number; readonly charset?: Readonly<Record<string, string>> };
}

const hasExtended = 0x10000000;
/** Of an empty cell only these show: inverse, underline, strikethrough; background, overline. */
const visibleFg = 0x04000000 | 0x10000000 | 0x80000000;
const visibleBg = 0x03ffffff | 0x40000000;

export function screenState(screen: Screen): object {
  const terminal = (screen as unknown as { terminal: xterm.Terminal }).terminal;
  const core = (terminal as unknown as { readonly _core: RawCore })._core;
  const { buffers } = core;
  const describe = (buffer: xterm.IBuffer): string[] =>
    Array.from({ length: terminal.rows }, (_, y) => {
      const line = buffer.getLine(buffer.baseY + y);
      const at = (x: number): RawCell | undefined => line?.getCell(x) as unknown as RawCell | undefined;
      const cells = Array.from({ length: terminal.cols }, (_, x) => {
        const cell = at(x);
        // Half of a wide character, or a mark without a base: nothing that could be printed again.
        const isTorn =
          cell?.getWidth() === 2 ? at(x + 1)?.getWidth() !== 0 : cell?.getWidth() === 0 && at(x - 1)?.getWidth() !== 2;
        return cell === undefined ? '' : describeCell(cell, isTorn);
      });
      // Whether the first row continues one above the screen cannot be seen.
      return `${y > 0 && line?.isWrapped ? '>' : '|'}${cells.join('|')}`;
    });
  const saved = (buffer: RawBuffer): unknown => [
    buffer.savedX,
    Math.max(0, buffer.savedY - buffer.ybase),
    attribute(buffer.savedCurAttrData.fg),
    attribute(buffer.savedCurAttrData.bg & ~hasExtended),
  ];
  const { active } = terminal.buffer;
  return {
    size: [terminal.cols, terminal.rows],
    type: active.type,
    normal: describe(terminal.buffer.normal),
    alternate: active.type === 'alternate' ? describe(terminal.buffer.alternate) : [],
    cursor: [active.cursorX, active.cursorY],
    region: [buffers.active.scrollTop, buffers.active.scrollBottom],
    saved: [saved(buffers.normal), active.type === 'alternate' ? saved(buffers.alt) : null],
    tabs: Object.keys(buffers.active.tabs).filter((x) => buffers.active.tabs[x] && Number(x) < terminal.cols),
    style: [
      attribute(core._inputHandler._curAttrData.fg),
      attribute(core._inputHandler._curAttrData.bg & ~hasExtended),
    ],
    charset: [core._charsetService.glevel, core._charsetService.charset?.['`'] ?? 'ascii'],
    parser: core._inputHandler._parser.currentState,
    convertEol: terminal.options.convertEol,
    title: screen.title,
    modes: screen.modes,
    shape: screen.cursor,
  };
}

function describeCell(cell: RawCell, isTorn: boolean): string {
  const chars = cell.getChars();
  const width = isTorn ? 1 : cell.getWidth();
  const blank = isTorn || ((chars === '' || chars === ' ') && width !== 0);
  const fg = blank && !(cell.fg & visibleFg) ? 0 : cell.fg;
  const bg = (blank ? cell.bg & visibleBg : cell.bg) & ~hasExtended;
  const isUnderlined = (cell.fg & 0x10000000) !== 0;
  const { _ext } = cell.extended;
  // 0 and 1 both look like a single line.
  const underlined =
    isUnderlined && cell.hasExtendedAttrs() ? `${Math.max(1, (_ext >>> 26) & 7)}.${_ext & 0x3ffffff}` : '';
  return `${blank ? ' ' : chars}${width} ${attribute(fg)} ${attribute(bg)} ${underlined}`;
}

/** A palette colour may leave bits of an earlier 24-bit one behind, which mean nothing. */
function attribute(value: number): string {
  const mode = value & 0x3000000;
  const color = mode === 0x3000000 ? value & 0xffffff : mode === 0 ? 0 : value & 0xff;
  return `${(value & ~0x3ffffff).toString(16)}/${mode >> 24}:${color.toString(16)}`;
}
