// The reference for many sessions: a tmux server of our own, on its own socket, with the same agents in its windows.
import { execFileSync } from 'node:child_process';
import { agentFile, type AgentPace, fleetSize } from './fleet.ts';

export class TmuxServer implements Disposable {
  readonly pid: number;
  private readonly socket = `gatehouse-bench-${process.pid}`;

  constructor(count: number, pace: AgentPace) {
    const agent = ['bash', agentFile, String(pace.seconds), String(pace.lines)];
    const size = [String(fleetSize.cols), String(fleetSize.rows)] as const;
    this.tmux('new-session', '-d', '-s', 'bench', '-x', size[0], '-y', size[1], ...agent);
    this.tmux('set-option', '-g', 'default-size', size.join('x'));
    this.tmux('set-option', '-g', 'status', 'off');
    for (let n = 1; n < count; n += 1) this.tmux('new-window', '-d', '-t', 'bench', ...agent);
    this.pid = Number(this.tmux('display-message', '-p', '#{pid}'));
  }

  get attachArgv(): string[] {
    return ['tmux', '-L', this.socket, 'attach', '-t', 'bench'];
  }

  /** Types a line into one of its windows, counted from 0. */
  type(window: number, text: string): void {
    this.tmux('send-keys', '-t', `bench:${window}`, text, 'Enter');
  }

  [Symbol.dispose](): void {
    this.tmux('kill-server');
  }

  private tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  }
}
