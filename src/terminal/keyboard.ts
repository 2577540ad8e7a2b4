// Tracks how keys are to be reported: the kitty protocol (https://sw.kovidgoyal.net/kitty/keyboard-protocol/), which has
// a stack per screen, and xterm's modifyOtherKeys. @xterm/headless knows neither.
import type { Terminal } from './xterm-internals.ts';

export interface KeyboardModes {
  /** Kitty flags of the active screen; 0 is the old way. */
  readonly kittyFlags: number;
  /** Flags below the current ones, oldest first. */
  readonly kittyStack: readonly number[];
  readonly modifyOtherKeys: number;
}

/** Kitty keeps at least this many; a program that pushes without end must not grow us. */
const stackLimit = 16;

export class KeyboardTracker {
  private readonly terminal: Terminal;
  private normal: number[] = [0];
  private alternate: number[] = [0];
  private modifyOtherKeys = 0;

  /** `reply` is called with the answer to `CSI ? u`. */
  constructor(terminal: Terminal, reply: (text: string) => void) {
    this.terminal = terminal;
    const { parser } = terminal;
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, ([flags]) => this.push(number(flags)));
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, ([count]) => this.pop(number(count) || 1));
    parser.registerCsiHandler({ prefix: '=', final: 'u' }, ([flags, how]) => this.set(number(flags), number(how) || 1));
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
      reply(`\x1b[?${this.modes.kittyFlags}u`);
      return true;
    });
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, ([resource, value]) => {
      if (number(resource) === 4) this.modifyOtherKeys = number(value);
      return true;
    });
    parser.registerCsiHandler({ prefix: '>', final: 'n' }, ([resource]) => {
      if (number(resource) === 4) this.modifyOtherKeys = 0;
      return true;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.reset();
      return false;
    });
  }

  get modes(): KeyboardModes {
    const stack = this.stack;
    return { kittyFlags: stack.at(-1) ?? 0, kittyStack: stack.slice(0, -1), modifyOtherKeys: this.modifyOtherKeys };
  }

  /** Escape text that brings a fresh terminal into these modes; to be written on the right screen. */
  snapshotOf(screen: 'normal' | 'alternate'): string {
    const [first = 0, ...others] = screen === 'normal' ? this.normal : this.alternate;
    return (first === 0 ? '' : `\x1b[=${first};1u`) + others.map((flags) => `\x1b[>${flags}u`).join('');
  }

  reset(): void {
    this.normal = [0];
    this.alternate = [0];
    this.modifyOtherKeys = 0;
  }

  private get stack(): number[] {
    return this.terminal.buffer.active.type === 'normal' ? this.normal : this.alternate;
  }

  private push(flags: number): true {
    const { stack } = this;
    stack.push(flags);
    if (stack.length > stackLimit) stack.shift();
    return true;
  }

  private pop(count: number): true {
    const { stack } = this;
    stack.splice(Math.max(0, stack.length - count), count);
    if (stack.length === 0) stack.push(0);
    return true;
  }

  private set(flags: number, how: number): true {
    const { stack } = this;
    const before = stack.pop() ?? 0;
    stack.push(how === 2 ? before | flags : how === 3 ? before & ~flags : flags);
    return true;
  }
}

function number(parameter: number | number[] | undefined): number {
  return typeof parameter === 'number' ? Math.max(0, parameter) : 0;
}
