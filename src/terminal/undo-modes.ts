// What a session may have switched on in the terminal that it was attached to, and how to switch it off again.
// Leaving the alternate screen resets nothing, and DECSTR misses mouse and keys: hence an explicit list.

export interface TerminalModes {
  readonly alternateScreen: boolean;
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPaste: boolean;
  readonly focusReporting: boolean;
  readonly insert: boolean;
  readonly mouse: 'none' | 'x10' | 'vt200' | 'drag' | 'any';
  readonly mouseEncoding: 'DEFAULT' | 'SGR' | 'SGR_PIXELS';
  readonly origin: boolean;
  readonly wraparound: boolean;
  readonly cursorHidden: boolean;
  readonly kittyFlags: number;
  readonly kittyStack: readonly number[];
  readonly modifyOtherKeys: number;
}

const csi = '\x1b[';

/** Ends whatever sequence was cut off by the detach: a string by ST, anything else by CAN. */
const endSequence = '\x1b\\\x18';

const off = [
  // Synchronized output first: while it is on, nothing shows.
  `${csi}?2026l`,
  // Mouse: tracking (9, 1000-1003) and encodings (1005, 1006, 1015, 1016); alternate scroll (1007); focus (1004).
  `${csi}?9;1000;1001;1002;1003;1004;1005;1006;1007;1015;1016l`,
  // Bracketed paste, colour scheme reports, in-band resize.
  `${csi}?2004;2031;2048l`,
  // Application cursor keys, reverse video, origin, reverse wraparound, left and right margins.
  `${csi}?1;5;6;45;69l`,
  // Wraparound and a visible cursor are on by default.
  `${csi}?7;25h`,
  // Insert and newline mode.
  `${csi}4l${csi}20l`,
  // Keypad numeric, ASCII in G0, G0 active.
  '\x1b>\x1b(B\x0f',
  // Key formats of xterm.
  `${csi}>4;0m`,
  // Colours, protection, cursor shape, open hyperlink.
  `${csi}m${csi}0"q${csi}0 q\x1b]8;;\x1b\\`,
].join('');

/** The region's reset moves the cursor, which should stay below what is on the screen. */
const wholeRegion = `\x1b7${csi}r\x1b8`;

/** Pops more than a program could push; a terminal ignores what is too much. */
const popKittyKeys = `${csi}<99u${csi}=0;1u`;

/**
 * Restores an outer terminal after a session was attached to it. Both screens lose their kitty flags. The title stays.
 * Without `modes` (a crash handler does not know them) the alternate screen is not left.
 */
export function undoModes(modes?: Pick<TerminalModes, 'alternateScreen'>): string {
  const leave = modes?.alternateScreen === true ? `${csi}?1047l${wholeRegion}${popKittyKeys}` : '';
  return endSequence + off + wholeRegion + popKittyKeys + leave;
}

/** Before a snapshot is written for an attach: nothing left on from whoever used the terminal before, a clean screen. */
export function enterAttach(): string {
  return `${undoModes()}${csi}2J${csi}H`;
}
