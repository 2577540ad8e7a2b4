// The console without a PTY: keys go in as bytes through the real decoder, frames come out through Ink and the painter
// into a headless terminal, and what is asserted on are its cells.
import { setImmediate as turn } from 'node:timers/promises';
import xterm from '@xterm/headless';
import type { RunSummary } from '../../../src/core/run.ts';
import { Console } from '../../../src/tui/console.ts';
import { HostLink } from '../../../src/tui/host-link.ts';
import { InputDecoder } from '../../../src/tui/input/decoder.ts';
import { FrameRenderer } from '../../../src/tui/paint/frame.tsx';
import { Painter } from '../../../src/tui/paint/painter.ts';
import type { ConsolePorts } from '../../../src/tui/ports.ts';
import type { Excursions } from '../../../src/tui/run-actions.ts';
import { createTheme } from '../../../src/tui/text/theme.ts';
import { waitFor } from '../../support/wait-for.ts';
import { FakeClient } from './fake-client.ts';
import { nowMs } from './sample-runs.ts';

export interface RigOptions {
  readonly runs?: RunSummary[];
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly client?: FakeClient;
}

export class ConsoleRig {
  readonly client: FakeClient;
  readonly console: Console;
  readonly link: HostLink;
  readonly written: string[] = [];
  readonly excursions: string[] = [];
  readonly copied: string[] = [];
  now = nowMs;
  quit = false;
  connectFails = false;
  signer: ConsolePorts['signer'] = () => Promise.resolve(null);
  timeline: ConsolePorts['timeline'] = () => Promise.reject(new Error('no transcript'));
  private readonly decoder = new InputDecoder();
  private readonly renderer: FrameRenderer;
  private readonly terminal: xterm.Terminal;
  private size: { cols: number; rows: number };

  constructor(options: RigOptions = {}) {
    this.size = { cols: options.cols ?? 120, rows: options.rows ?? 40 };
    this.client = options.client ?? new FakeClient(options.runs ?? []);
    this.terminal = new xterm.Terminal({ ...this.size, allowProposedApi: true, scrollback: 100 });
    this.terminal.write('\u001b[?7l');
    const painter = new Painter((text) => {
      this.written.push(text);
      this.terminal.write(text);
    });
    this.renderer = new FrameRenderer(painter, this.size);
    this.console = new Console({
      theme: createTheme(options.env ?? { TERM: 'xterm-256color' }),
      size: () => this.size,
      now: () => this.now,
      forget: () => this.renderer.forget(),
      show: (content, size) => this.renderer.show(content, size),
      excursions: () => this.recordExcursions(),
      copy: (text) => void this.copied.push(text),
      onQuit: () => {
        this.quit = true;
      },
    });
    this.link = new HostLink(
      {
        connect: () =>
          this.connectFails ? Promise.reject(new Error('no host answers')) : Promise.resolve(this.client),
        actor: () => Promise.resolve({ name: 'Op', user: 'op', tty: '/dev/pts/1' }),
        signer: () => this.signer(),
        timeline: (run) => this.timeline(run),
      },
      this.console.feed,
      { onEvent: (event) => this.console.hostEvent(event), onConnected: () => this.console.preview.reset() },
      () => this.now,
    );
    this.console.use(this.link);
  }

  async open(): Promise<this> {
    await this.link.open();
    this.console.repaint();
    await this.settle();
    return this;
  }

  /** Bytes as a terminal sends them, in one chunk. */
  async type(bytes: string): Promise<void> {
    for (const event of this.decoder.push(Buffer.from(bytes))) this.console.input(event);
    if (this.decoder.pending() === 'escape') for (const event of this.decoder.expire()) this.console.input(event);
    await this.settle();
  }

  /** One chunk per character, as a person types. */
  async typeSlowly(text: string): Promise<void> {
    for (const character of text) await this.type(character);
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.size = { cols, rows };
    // As on the alternate screen, nothing is pushed into the scrollback by a resize.
    this.terminal.reset();
    this.terminal.resize(cols, rows);
    this.terminal.write('\u001b[?7l');
    await this.flushTerminal();
    this.console.resized();
    await this.settle();
  }

  /** The text of every row as it stands in the terminal. */
  async screen(): Promise<string[]> {
    await this.flushTerminal();
    const { buffer } = this.terminal;
    return Array.from(
      { length: this.size.rows },
      (_, y) => buffer.active.getLine(buffer.active.viewportY + y)?.translateToString(false) ?? '',
    );
  }

  async text(): Promise<string> {
    this.console.repaint();
    return (await this.screen()).map((row) => row.trimEnd()).join('\n');
  }

  async waitForText(wanted: string | RegExp): Promise<string> {
    let last = '';
    return waitFor(
      async () => {
        last = await this.text();
        return (typeof wanted === 'string' ? last.includes(wanted) : wanted.test(last)) ? last : null;
      },
      { what: () => `${String(wanted)} on the screen:\n${last}` },
    );
  }

  /** Rows that left the screen at the top: a frame that is too tall pushes them out. */
  async scrolledRows(): Promise<number> {
    await this.flushTerminal();
    return this.terminal.buffer.active.baseY;
  }

  /** The character in a cell; empty for the second half of a wide one. */
  cell(row: number, column: number): string {
    return this.terminal.buffer.active.getLine(row)?.getCell(column)?.getChars() ?? '';
  }

  async flushTerminal(): Promise<void> {
    await new Promise<void>((resolve) => this.terminal.write('', resolve));
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 4; i++) await turn();
    await this.flushTerminal();
  }

  async close(): Promise<void> {
    this.link.close();
    this.console.close();
    this.renderer.close();
    await this.flushTerminal();
    this.terminal.dispose();
  }

  private recordExcursions(): Excursions {
    const record = (what: string) => (run: RunSummary) => void this.excursions.push(`${what} ${run.id}`);
    return {
      attach: record('attach'),
      watch: record('watch'),
      watchOther: record('watch other than'),
      replay: record('replay'),
      viewImages: record('images'),
    };
  }
}
