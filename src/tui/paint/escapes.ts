// The escape sequences the console writes itself. Everything here has its undo in `leaveScreen`.
const csi = '\u001b[';

const enterAlternate = `${csi}?1049h`;
const leaveAlternate = `${csi}?1049l`;
export const hideCursor = `${csi}?25l`;
export const showCursor = `${csi}?25h`;
/** A row that is wider than the window, by the terminal's own rule, must not run into the next one. */
const wrapOff = `${csi}?7l`;
const wrapOn = `${csi}?7h`;
const pasteOn = `${csi}?2004h`;
const pasteOff = `${csi}?2004l`;
export const beginSync = `${csi}?2026h`;
export const endSync = `${csi}?2026l`;
export const resetStyle = `${csi}0m`;
export const eraseRight = `${csi}K`;
export const eraseScreen = `${csi}2J`;
export const home = `${csi}H`;

export const enterScreen = `${enterAlternate}${hideCursor}${wrapOff}${pasteOn}`;
export const leaveScreen = `${endSync}${resetStyle}${pasteOff}${wrapOn}${showCursor}${leaveAlternate}`;

export function cursorTo(row: number, column: number): string {
  return `${csi}${row + 1};${column + 1}H`;
}

export function column(column: number): string {
  return `${csi}${column + 1}G`;
}
