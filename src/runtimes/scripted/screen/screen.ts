// The agent's screen: text that scrolls up and away, and below it a small region (what it does, composer, hint) that is drawn anew in
// place. Inline on the main screen: the scrollback keeps everything. Node leaves newline translation on in raw mode.
import { cellWidth, cut, cutFront, wrap } from './width.ts';

const bracketedPasteOn = '\u001b[?2004h';
const bracketedPasteOff = '\u001b[?2004l';
const syncOn = '\u001b[?2026h';
const syncOff = '\u001b[?2026l';
const eraseDown = '\u001b[J';
const eraseLine = '\u001b[2K';
const dim = '\u001b[2m';
const bold = '\u001b[1m';
const cyan = '\u001b[36m';
const yellow = '\u001b[33m';
const reset = '\u001b[0m';

/** Wide terminals: a rule across the whole width costs bytes with every draw and tells nothing. */
const widest = 100;

export interface RegionState {
  /** Null when the agent is idle. */
  readonly busy: string | null;
  readonly liveLine: string | null;
  readonly dialog: { readonly tool: string; readonly command: string; readonly selected: number } | null;
  readonly composer: readonly string[];
  readonly hint: string;
}

export interface Output {
  readonly columns?: number;
  write(text: string): unknown;
}

export class Screen {
  private readonly out: Output;
  private drawn: string[] = [];
  /** The row of the region in which the cursor stands, and the columns it was drawn for. */
  private cursorRow = 0;
  private drawnColumns = 0;
  private title = '';

  constructor(out: Output) {
    this.out = out;
  }

  private get columns(): number {
    return Math.max(10, this.out.columns ?? 80);
  }

  private get inner(): number {
    return Math.min(this.columns, widest) - 1;
  }

  start(): void {
    this.out.write(bracketedPasteOn);
  }

  stop(): void {
    this.out.write(`${this.eraseRegion()}${bracketedPasteOff}${reset}\u001b]0;\u0007`);
    this.drawn = [];
  }

  setTitle(title: string): void {
    if (title === this.title) return;
    this.title = title;
    this.out.write(`\u001b]2;${title}\u0007`);
  }

  /** Lines that stay: they are wrapped here, so that a later resize does not tear the region below them. */
  print(lines: readonly string[], region: RegionState, style = ''): void {
    const wrapped = lines.flatMap((line) => wrap(line, this.inner));
    const text = wrapped.map((line) => (style === '' ? `${line}\n` : `${style}${line}${reset}\n`)).join('');
    this.out.write(`${syncOn}${this.eraseRegion()}${text}${this.drawRegion(region)}${syncOff}`);
  }

  /** Output as it is, escape sequences included. */
  printRaw(text: string, region: RegionState): void {
    this.out.write(`${this.eraseRegion()}${text}${this.drawRegion(region)}`);
  }

  draw(region: RegionState): void {
    const lines = this.regionLines(region);
    if (this.drawnColumns === this.columns && lines.join('\n') === this.drawn.join('\n')) return;
    const changed = this.oneChangedLine(lines);
    if (changed !== null) this.out.write(this.drawLine(changed, lines[changed] ?? ''));
    else this.out.write(`${syncOn}${this.eraseRegion()}${this.drawRegion(region)}${syncOff}`);
    this.drawn = lines;
  }

  private oneChangedLine(lines: readonly string[]): number | null {
    if (this.drawnColumns !== this.columns || lines.length !== this.drawn.length) return null;
    const changed = lines.flatMap((line, row) => (line === this.drawn[row] ? [] : [row]));
    // The cursor stands in its row; that one is drawn with the whole region.
    return changed.length === 1 && changed[0] !== this.cursorRow ? (changed[0] ?? null) : null;
  }

  private drawLine(row: number, line: string): string {
    const up = this.cursorRow - row;
    const move = up > 0 ? `\u001b[${up}A` : `\u001b[${-up}B`;
    return `\u001b7${move}\r${eraseLine}${line}\u001b8`;
  }

  private eraseRegion(): string {
    if (this.drawn.length === 0) return '\r';
    // A narrower terminal has wrapped the lines that were drawn; the cursor went down with them.
    const rows = this.drawn
      .slice(0, this.cursorRow)
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(cellWidth(strip(line)) / this.columns)), 0);
    return `\r${rows > 0 ? `\u001b[${rows}A` : ''}${eraseDown}`;
  }

  private drawRegion(region: RegionState): string {
    const lines = this.regionLines(region);
    this.drawn = lines;
    this.drawnColumns = this.columns;
    const inputRow = lines.findLastIndex((line) => strip(line).startsWith('› '));
    this.cursorRow = inputRow === -1 ? lines.length - 1 : inputRow + Math.max(0, region.composer.length - 1);
    const up = lines.length - 1 - this.cursorRow;
    const column = inputRow === -1 ? 0 : 2 + cellWidth(this.fitDraft(region.composer.at(-1) ?? ''));
    return `${lines.join('\n')}${up > 0 ? `\u001b[${up}A` : ''}\r${column > 0 ? `\u001b[${column}C` : ''}`;
  }

  private regionLines(region: RegionState): string[] {
    const lines: string[] = [];
    if (region.liveLine !== null) lines.push(cut(region.liveLine, this.inner));
    if (region.dialog !== null) return [...lines, ...this.dialogLines(region.dialog)];
    if (region.busy !== null) lines.push(`${cyan}${cut(region.busy, this.inner)}${reset}`);
    const rule = `${dim}${'─'.repeat(Math.min(this.inner, 60))}${reset}`;
    return [
      ...lines,
      rule,
      ...this.composerLines(region.composer),
      rule,
      `${dim}${cut(region.hint, this.inner)}${reset}`,
    ];
  }

  private composerLines(draft: readonly string[]): string[] {
    const [first = '', ...rest] = draft;
    if (first === '' && rest.length === 0) return [`› ${dim}${cut('Type a message', this.inner - 2)}${reset}`];
    return [`› ${this.fitDraft(first)}`, ...rest.map((line) => `  ${this.fitDraft(line)}`)];
  }

  private fitDraft(line: string): string {
    return cutFront(line, this.inner - 3);
  }

  private dialogLines(dialog: NonNullable<RegionState['dialog']>): string[] {
    const rule = '─'.repeat(Math.min(this.inner - 1, 58));
    const option = (index: number, label: string): string =>
      `│ ${dialog.selected === index ? `${bold}❯ ${index + 1}. ${label}${reset}` : `  ${index + 1}. ${label}`}`;
    return [
      `${yellow}╭${rule}${reset}`,
      `│ ${bold}Allow tool: ${dialog.tool}${reset}`,
      '│',
      `│   ${cut(dialog.command, this.inner - 5)}`,
      '│',
      option(0, 'Approve'),
      option(1, 'Deny'),
      `${yellow}╰${rule}${reset}`,
    ];
  }
}

export const styles = { dim, bold, cyan, yellow } as const;

export function strip(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
