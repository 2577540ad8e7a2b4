// Everything a program may have switched on in the terminal, switched off by name. Leaving the alternate screen resets
// nothing, and the soft reset (DECSTR) misses the mouse, so there is no shorter way.
const csi = '\u001b[';
const off = (...modes: number[]) => modes.map((mode) => `${csi}?${mode}l`).join('');

export const undoModes = [
  // Mouse in every form, focus reports, bracketed paste, synchronized output, colour-scheme and size reports.
  off(9, 1000, 1001, 1002, 1003, 1005, 1006, 1007, 1015, 1016, 1004, 2004, 2026, 2031, 2048),
  // Application cursor keys, reverse video, origin mode, left/right margins, reverse wrap.
  off(1, 5, 6, 69, 45),
  `${csi}4l`,
  '\u001b>',
  // kitty keyboard: whatever was pushed, and the flags themselves; xterm's modifyOtherKeys.
  `${csi}<99u${csi}=0u`,
  `${csi}>4;0m`,
  // Scroll region, character sets, styles, cursor shape, hyperlink.
  `${csi}r`,
  '\u001b(B\u001b)B\u000f',
  `${csi}0m`,
  `${csi}0 q`,
  '\u001b]8;;\u001b\\',
  `${csi}?7h`,
  `${csi}?25h`,
].join('');
