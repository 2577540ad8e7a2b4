// The look of a cell as SGR parameters. Always complete (it begins with a reset), so the order of cells does not matter.
import { type CellStyle, colorMode, colorModeMask, isUnderlined, underlineShape } from './xterm-internals.ts';

export const plainStyle = '0';

export function sgrOf(cell: CellStyle): string {
  let sgr = plainStyle;
  if (cell.isBold()) sgr += ';1';
  if (cell.isDim()) sgr += ';2';
  if (cell.isItalic()) sgr += ';3';
  if (isUnderlined(cell)) sgr += underlineOf(cell);
  if (cell.isBlink()) sgr += ';5';
  if (cell.isInverse()) sgr += ';7';
  if (cell.isInvisible()) sgr += ';8';
  if (cell.isStrikethrough()) sgr += ';9';
  if (cell.isOverline()) sgr += ';53';
  return (
    sgr + colorOf(cell.getFgColorMode(), cell.getFgColor(), 30) + colorOf(cell.getBgColorMode(), cell.getBgColor(), 40)
  );
}

/** Does an empty cell of this style look different from nothing? */
export function isVisibleWhenBlank(cell: CellStyle): boolean {
  return (
    cell.getBgColorMode() !== colorMode.default ||
    isUnderlined(cell) ||
    (cell.isInverse() | cell.isStrikethrough() | cell.isOverline()) !== 0
  );
}

function underlineOf(cell: CellStyle): string {
  const style = underlineShape(cell);
  const shape = style > 1 ? `;4:${style}` : ';4';
  const color = cell.hasExtendedAttrs() ? cell.extended.underlineColor : 0;
  const mode = color & colorModeMask;
  if (mode === colorMode.default) return shape;
  if (mode === colorMode.rgb) return `${shape};58:2::${(color >> 16) & 255}:${(color >> 8) & 255}:${color & 255}`;
  return `${shape};58:5:${color & 255}`;
}

function colorOf(mode: number, color: number, base: 30 | 40): string {
  switch (mode) {
    case colorMode.palette16:
      return `;${color < 8 ? base + color : base + 52 + color}`;
    case colorMode.palette256:
      return `;${base + 8};5;${color}`;
    case colorMode.rgb:
      return `;${base + 8};2;${(color >> 16) & 255};${(color >> 8) & 255};${color & 255}`;
    default:
      return '';
  }
}
