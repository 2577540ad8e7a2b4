// A screen as escape text that rebuilds it on a fresh terminal: cells of both screens, cursor, saved cursor, modes.
// addon-serialize does less (no mouse encoding, cursor shape, scroll region, saved cursor ...), so this is our own.
import { isJoining } from './character-widths.ts';
import { isVisibleWhenBlank, plainStyle, sgrOf } from './cell-style.ts';
import type { KeyboardTracker } from './keyboard.ts';
import {
  type Cell,
  type CellStyle,
  type Charset,
  coreOf,
  scratchCell,
  type ScreenBuffer,
  type Terminal,
} from './xterm-internals.ts';

export interface SnapshotParts {
  readonly terminal: Terminal;
  readonly keyboard: KeyboardTracker;
  readonly title: string;
  /** OSC colour settings by their number, as `11;#000000`. */
  readonly colors: ReadonlyMap<string, string>;
  /** The beginning of a sequence whose end has not arrived. */
  readonly unfinished: string;
  /** How many rows above the screen are included. */
  readonly scrollback: number;
}

const csi = '\x1b[';

export function buildSnapshot(parts: SnapshotParts): string {
  const { terminal, keyboard } = parts;
  const core = coreOf(terminal);
  const { normal, alt, active } = core.buffers;
  let text = `${csi}m${csi}H${cellsOf(terminal, normal, parts.scrollback)}${keyboard.snapshotOf('normal')}`;
  if (active === alt) {
    text += `${savedCursorOf(normal, terminal)}${regionOf(normal, terminal)}`;
    // 1047 and not 1049: the latter would overwrite the saved cursor.
    text += `${csi}m${csi}?1047h${csi}2J${csi}H${cellsOf(terminal, alt, 0)}${keyboard.snapshotOf('alternate')}`;
  }
  text += `${savedCursorOf(active, terminal)}${tabsOf(active, terminal)}${regionOf(active, terminal)}${cursorOf(terminal, active)}`;
  text += styleText(core._inputHandler._curAttrData, terminal) + charsetsOf(terminal) + modesOf(parts);
  for (const color of parts.colors.values()) text += `\x1b]${color}\x07`;
  if (parts.title !== '') text += `\x1b]2;${parts.title}\x07`;
  return text + (parts.unfinished || joiningText(terminal, active));
}

/** Rows in sequence; a row that goes on in the next is filled to the edge, so that the terminal wraps it by itself. */
function cellsOf(terminal: Terminal, buffer: ScreenBuffer, scrollback: number): string {
  const cell = scratchCell(terminal);
  const { cols, rows } = terminal;
  const writer = new StyleWriter(terminal);
  const end = buffer.ybase + rows;
  for (let y = Math.max(0, buffer.ybase - scrollback); y < end; y += 1) {
    const line = buffer.lines.get(y);
    const goesOn = y + 1 < end && buffer.lines.get(y + 1)?.isWrapped === true;
    const used = line === undefined ? 0 : goesOn ? cols : usedWidth(line, cell, cols);
    // The row before has been filled: something must be printed for the terminal to wrap.
    const width = line?.isWrapped === true ? Math.max(1, used) : used;
    for (let x = 0; line !== undefined && x < width; x += 1) {
      line.loadCell(x, cell);
      if (cell.getWidth() === 2 && x + 1 < cols && line.getWidth(x + 1) === 0) {
        writer.put(cell, cell.getChars());
        x += 1;
      } else {
        // Half of a wide character (its other half was overwritten) or a mark without a base cannot be printed alone.
        writer.put(cell, cell.getWidth() === 1 ? cell.getChars() : '');
      }
    }
    if (goesOn) continue;
    writer.plain();
    // A row that was begun by wrapping while a background was set is coloured to its end: take that back.
    if (width < cols && line?.isWrapped === true) writer.text += `${csi}K`;
    if (y + 1 < end) writer.text += '\r\n';
  }
  return writer.text;
}

function usedWidth(line: { loadCell(x: number, cell: Cell): Cell }, cell: Cell, cols: number): number {
  for (let x = cols - 1; x >= 0; x -= 1) {
    line.loadCell(x, cell);
    if (cell.getWidth() === 0 || cell.getChars() !== '' || isVisibleWhenBlank(cell)) return x + 1;
  }
  return 0;
}

class StyleWriter {
  text = '';
  private readonly terminal: Terminal;
  private sgr = plainStyle;
  private isProtected = 0;
  private link = 0;
  private last = '';

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  put(cell: Cell, chars: string): void {
    const sgr = sgrOf(cell);
    if (sgr !== this.sgr) {
      this.text += `${csi}${sgr}m`;
      // Here xterm.js differs from others: its SGR reset ends the protection as well.
      this.isProtected = 0;
    }
    this.sgr = sgr;
    this.attributes(cell.isProtected(), linkOf(cell));
    // A sequence (this one does nothing) keeps two characters apart that stand side by side but were not printed as one.
    if (isJoining(this.last, chars)) this.text += '\x1b\\';
    this.last = chars;
    this.text += chars || ' ';
  }

  plain(): void {
    this.attributes(0, 0);
    if (this.sgr !== plainStyle) this.text += `${csi}m`;
    this.sgr = plainStyle;
  }

  private attributes(isProtected: number, link: number): void {
    if ((isProtected === 0) !== (this.isProtected === 0)) this.text += protectionText(isProtected);
    this.isProtected = isProtected;
    if (link !== this.link) this.text += linkText(this.terminal, link);
    this.link = link;
  }
}

/** Everything that the next printed character would look like. */
function styleText(style: CellStyle, terminal: Terminal): string {
  const sgr = sgrOf(style);
  const link = linkOf(style);
  return (
    (sgr === plainStyle ? `${csi}m` : `${csi}${sgr}m`) +
    (style.isProtected() ? protectionText(1) : '') +
    (link === 0 ? '' : linkText(terminal, link))
  );
}

function protectionText(isProtected: number): string {
  return `${csi}${isProtected ? 1 : 0}"q`;
}

function linkOf(style: CellStyle): number {
  return style.hasExtendedAttrs() ? style.extended.urlId : 0;
}

function linkText(terminal: Terminal, link: number): string {
  const data = link === 0 ? undefined : coreOf(terminal)._oscLinkService.getLinkData(link);
  if (data === undefined) return '\x1b]8;;\x07';
  return `\x1b]8;${data.id === undefined ? '' : `id=${data.id}`};${data.uri}\x07`;
}

function savedCursorOf(buffer: ScreenBuffer, terminal: Terminal): string {
  const { savedX, savedY, savedCurAttrData, savedCharset, ybase } = buffer;
  const y = Math.max(0, savedY - ybase);
  const style = styleText(savedCurAttrData, terminal);
  const charset = designatorOf(savedCharset);
  if (savedX === 0 && savedY === 0 && style === `${csi}m` && charset === 'B') return '';
  const set = charset === 'B' ? '' : `\x1b(${charset}`;
  const unset = `${protectionText(0)}${linkText(terminal, 0)}${set === '' ? '' : '\x1b(B'}`;
  return `${placeCursor(savedX, y, terminal, buffer)}${style}${set}\x1b7${unset}`;
}

function regionOf(buffer: ScreenBuffer, terminal: Terminal): string {
  if (buffer.scrollTop === 0 && buffer.scrollBottom === terminal.rows - 1) return '';
  return `${csi}${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
}

function tabsOf(buffer: ScreenBuffer, terminal: Terminal): string {
  const stops = Object.keys(buffer.tabs)
    .map(Number)
    .filter((x) => buffer.tabs[x] === true && x < terminal.cols);
  const usual = Array.from({ length: Math.ceil(terminal.cols / 8) }, (_, index) => index * 8);
  if (stops.join() === usual.join()) return '';
  return `${csi}3g${stops.map((x) => `${csi}${x + 1}G\x1bH`).join('')}`;
}

function cursorOf(terminal: Terminal, buffer: ScreenBuffer): string {
  const { originMode } = terminal.modes;
  // Turning it on moves the cursor to the region's first row, and rows count from there.
  return (originMode ? `${csi}?6h` : '') + placeCursor(buffer.x, buffer.y, terminal, buffer, originMode);
}

function placeCursor(x: number, y: number, terminal: Terminal, buffer: ScreenBuffer, inRegion = false): string {
  const row = y - (inRegion ? buffer.scrollTop : 0) + 1;
  if (x < terminal.cols) return `${csi}${row};${x + 1}H`;
  // Behind the last column, about to wrap: only printing brings a cursor there.
  const before = cellBefore(x, y, terminal, buffer);
  const writer = new StyleWriter(terminal);
  writer.put(before.cell, before.cell.getWidth() === 0 ? '' : before.cell.getChars());
  writer.plain();
  return `${csi}${row};${before.x + 1}H${writer.text}`;
}

/**
 * A character that combines with the one before may still follow. It does so only directly after printing, so the last
 * character is printed once more, as the very last thing, where that changes nothing else.
 */
function joiningText(terminal: Terminal, buffer: ScreenBuffer): string {
  const { _inputHandler } = coreOf(terminal);
  if (_inputHandler._parser.precedingJoinState === 0 || buffer.x === 0) return '';
  const { insertMode, originMode } = terminal.modes;
  const { x, cell } = cellBefore(buffer.x, buffer.y, terminal, buffer);
  const chars = cell.getChars();
  const isAsCurrent = styleText(cell, terminal) === styleText(_inputHandler._curAttrData, terminal);
  if (chars === '' || cell.getWidth() === 0 || !isAsCurrent) return '';
  // In insert mode the row would be pushed to the right: make room for exactly this character first. One that was joined
  // of several is pushed step by step in ways that cannot be made room for.
  if (insertMode && Array.from(chars).length > 1) return '';
  const room = insertMode ? `${csi}${cell.getWidth()}P` : '';
  return placeCursor(x, buffer.y, terminal, buffer, originMode) + room + chars;
}

function cellBefore(end: number, y: number, terminal: Terminal, buffer: ScreenBuffer): { x: number; cell: Cell } {
  const cell = scratchCell(terminal);
  const line = buffer.lines.get(buffer.ybase + y);
  const isWide = line?.getWidth(end - 1) === 0 && end >= 2 && line.getWidth(end - 2) === 2;
  const x = isWide ? end - 2 : end - 1;
  line?.loadCell(x, cell);
  return { x, cell };
}

function charsetsOf(terminal: Terminal): string {
  const { glevel, charset: current, _charsets } = coreOf(terminal)._charsetService;
  const designated = Array.from({ length: Math.max(_charsets.length, glevel + 1) }, (_, index) => {
    // Restoring the cursor changes the current set without designating it.
    const designator = designatorOf(index === glevel ? current : _charsets[index]);
    return designator === 'B' ? '' : `\x1b${'()*+'[index] ?? '('}${designator}`;
  });
  const shift = ['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? '';
  return designated.join('') + shift;
}

/** Line drawing and British are what programs use; the other national sets of 1983 are taken for ASCII. */
function designatorOf(charset: Charset | undefined): string {
  if (charset?.['`'] === '◆') return '0';
  return charset?.['#'] === '£' && Object.keys(charset).length === 1 ? 'A' : 'B';
}

const mouseModes = { none: '', x10: '9', vt200: '1000', drag: '1002', any: '1003' } as const;
const cursorShapes = { block: 1, underline: 3, bar: 5 } as const;

function modesOf({ terminal, keyboard }: SnapshotParts): string {
  const { modes } = terminal;
  const { coreMouseService, coreService } = coreOf(terminal);
  const encoding = { DEFAULT: '', SGR: '1006', SGR_PIXELS: '1016' }[coreMouseService.activeEncoding];
  const on = [
    modes.applicationCursorKeysMode ? '1' : '',
    modes.reverseWraparoundMode ? '45' : '',
    mouseModes[modes.mouseTrackingMode],
    encoding,
    modes.sendFocusMode ? '1004' : '',
    modes.bracketedPasteMode ? '2004' : '',
  ].filter((mode) => mode !== '');
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes;
  const { modifyOtherKeys } = keyboard.modes;
  return [
    on.length === 0 ? '' : `${csi}?${on.join(';')}h`,
    modes.applicationKeypadMode ? '\x1b=' : '',
    modes.insertMode ? `${csi}4h` : '',
    terminal.options.convertEol === true ? `${csi}20h` : '',
    modes.wraparoundMode ? '' : `${csi}?7l`,
    coreService.isCursorHidden ? `${csi}?25l` : '',
    cursorStyle === undefined ? '' : `${csi}${cursorShapes[cursorStyle] + (cursorBlink === false ? 1 : 0)} q`,
    modifyOtherKeys === 0 ? '' : `${csi}>4;${modifyOtherKeys}m`,
  ].join('');
}
