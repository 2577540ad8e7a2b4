// Colours with a meaning, or none. A symbol or a word always says the same, so nothing is lost without colour.
export type Style = (text: string) => string;

export interface Theme {
  /** False: pictures, which are nothing but colour, are named and not drawn. */
  readonly colour: boolean;
  readonly bold: Style;
  readonly dim: Style;
  readonly italic: Style;
  readonly underline: Style;
  /** Wants a person. */
  readonly attention: Style;
  /** Wrong, stuck, refused. */
  readonly bad: Style;
  readonly good: Style;
  /** Moving. */
  readonly live: Style;
  readonly accent: Style;
  readonly quiet: Style;
  /** A whole row that is selected. */
  readonly selected: Style;
  /** Title bar. */
  readonly bar: Style;
  readonly added: Style;
  readonly removed: Style;
}

const plain: Style = (text) => text;

export function createTheme(env: NodeJS.ProcessEnv): Theme {
  if (env['TERM'] === 'dumb') return theme(() => plain, false, false);
  const colour = (env['NO_COLOR'] ?? '') === '';
  const many = colour && (/256|direct|kitty|ghostty/.test(env['TERM'] ?? '') || (env['COLORTERM'] ?? '') !== '');
  return theme((on, off) => (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`), colour, many);
}

function theme(sgr: (on: string, off: string) => Style, colour: boolean, many: boolean): Theme {
  const ink = (code: string) => (colour ? sgr(code, '39') : plain);
  return {
    colour,
    bold: sgr('1', '22'),
    dim: sgr('2', '22'),
    italic: sgr('3', '23'),
    underline: sgr('4', '24'),
    attention: colour ? sgr('1;33', '22;39') : sgr('1', '22'),
    bad: ink('31'),
    good: ink('32'),
    live: ink('36'),
    accent: ink(many ? '38;5;111' : '34'),
    quiet: many ? sgr('38;5;245', '39') : sgr('2', '22'),
    selected: many ? sgr('48;5;237', '49') : sgr('7', '27'),
    bar: many ? sgr('48;5;236', '49') : sgr('7', '27'),
    added: ink('32'),
    removed: ink('31'),
  };
}
