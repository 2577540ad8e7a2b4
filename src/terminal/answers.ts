// Answers to queries that @xterm/headless leaves open: version, colours, terminal capabilities. The answers are those of
// a dark 256-colour terminal; the host is the only one who answers, whatever terminal the operator sits at.
import type { Terminal } from './xterm-internals.ts';

/** Foreground, background and cursor of a dark terminal. */
const defaultColors: Readonly<Record<string, string>> = {
  '10': 'rgb:d0d0/d0d0/d0d0',
  '11': 'rgb:0000/0000/0000',
  '12': 'rgb:d0d0/d0d0/d0d0',
};

const capabilities: Readonly<Record<string, string>> = { TN: 'xterm-256color', Co: '256', colors: '256', RGB: '8/8/8' };

const baseColors = ['000000', 'cd0000', '00cd00', 'cdcd00', '0000ee', 'cd00cd', '00cdcd', 'e5e5e5'];
const brightColors = ['7f7f7f', 'ff0000', '00ff00', 'ffff00', '5c5cff', 'ff00ff', '00ffff', 'ffffff'];

/** @returns the colours that the program has set, by their OSC number, for snapshots. */
export function answerQueries(terminal: Terminal, reply: (text: string) => void): Map<string, string> {
  const colors = new Map<string, string>();
  const { parser } = terminal;
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, ([kind]) => {
    if (kind === 0) reply('\x1bP>|gatehouse\x1b\\');
    return true;
  });
  // Colour scheme (https://contour-terminal.org/vt-extensions/color-palette-update-notifications/): dark.
  parser.registerCsiHandler({ prefix: '?', final: 'n' }, ([kind]) => {
    if (kind !== 996) return false;
    reply('\x1b[?997;1n');
    return true;
  });
  for (const code of ['10', '11', '12']) {
    parser.registerOscHandler(Number(code), (data) => {
      // One sequence may go through several: `10;?;?` asks for 10 and 11.
      data.split(';').forEach((value, index) => settle(String(Number(code) + index), value));
      return true;
    });
  }
  parser.registerOscHandler(4, (data) => {
    const parts = data.split(';');
    for (let index = 0; index + 1 < parts.length; index += 2) settle(`4;${parts[index]}`, parts[index + 1] ?? '');
    return true;
  });
  for (const code of ['110', '111', '112']) {
    parser.registerOscHandler(Number(code), () => {
      colors.delete(code.slice(1));
      return true;
    });
  }
  parser.registerOscHandler(104, () => {
    for (const key of colors.keys()) if (key.startsWith('4;')) colors.delete(key);
    return true;
  });
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, (data) => {
    for (const name of data.split(';')) reply(capabilityAnswer(name));
    return true;
  });
  parser.registerEscHandler({ final: 'c' }, () => {
    colors.clear();
    return false;
  });
  return colors;

  function settle(key: string, value: string): void {
    if (value === '?') reply(`\x1b]${key};${colorOf(key)}\x1b\\`);
    else if (/^[\w#:/., -]{1,40}$/.test(value) && colors.size < 300) colors.set(key, `${key};${value}`);
  }

  function colorOf(key: string): string {
    const set = colors.get(key)?.slice(key.length + 1);
    return (set === undefined ? null : asRgb(set)) ?? defaultColors[key] ?? paletteColor(Number(key.split(';')[1]));
  }
}

function capabilityAnswer(hexName: string): string {
  const value = capabilities[Buffer.from(hexName, 'hex').toString('latin1')];
  if (value === undefined) return `\x1bP0+r${/^[0-9A-Fa-f]*$/.test(hexName) ? hexName : ''}\x1b\\`;
  return `\x1bP1+r${hexName}=${Buffer.from(value, 'latin1').toString('hex').toUpperCase()}\x1b\\`;
}

/** A colour specification in the form that answers use; null for names and forms that we do not know. */
function asRgb(value: string): string | null {
  if (/^rgb:[0-9a-f]{4}\/[0-9a-f]{4}\/[0-9a-f]{4}$/i.test(value)) return value;
  const hex =
    /^#([0-9a-f]{6})$/i.exec(value)?.[1] ??
    /^rgb:([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{2})$/i.exec(value)?.slice(1).join('');
  return hex === undefined ? null : rgb(hex);
}

function paletteColor(index: number): string {
  if (!(index >= 0 && index < 256)) return rgb('000000');
  if (index < 16) return rgb([...baseColors, ...brightColors][index] ?? '000000');
  if (index >= 232) return rgb(byte(8 + (index - 232) * 10).repeat(3));
  const level = (step: number): string => byte(step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return rgb(level(Math.floor(cube / 36)) + level(Math.floor(cube / 6) % 6) + level(cube % 6));
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

function rgb(hex: string): string {
  const [r, g, b] = [hex.slice(0, 2), hex.slice(2, 4), hex.slice(4, 6)];
  return `rgb:${r}${r}/${g}${g}/${b}${b}`;
}
