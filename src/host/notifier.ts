// Tells people that a run needs them: every console, and the command of the configuration.
import type { Config } from '../core/config.ts';
import { inertLine } from '../core/inert.ts';
import { maskSecrets } from '../core/secrets.ts';
import { exec } from '../platform/exec.ts';
import type { Log } from '../platform/log.ts';
import type { OperatorEvent } from '../protocol/operator.ts';

const commandTimeoutMs = 20_000;

type Notice = Extract<OperatorEvent, { event: 'notice' }>;

export class Notifier {
  private readonly config: Config;
  private readonly log: Log;
  private readonly tell: (notice: Notice) => void;

  constructor(config: Config, log: Log, tell: (notice: Notice) => void) {
    this.config = config;
    this.log = log;
    this.tell = tell;
  }

  notify(run: string, why: string, text: string): void {
    const line = inertLine(maskSecrets(text));
    const { bell, command = [] } = this.config.notifications;
    this.tell({ event: 'notice', level: why === 'done' ? 'info' : 'warning', text: `${run}: ${line}`, bell });
    const [program, ...args] = command;
    if (program === undefined) return;
    const input = JSON.stringify({ run, why, text: line });
    void exec(program, args, { input, timeoutMs: commandTimeoutMs, endGroup: true, maxBytes: 64 * 1024 }).then(
      (result) => {
        if (result.exitCode !== 0)
          this.log.warn('the notification command failed', {
            run,
            exitCode: result.exitCode,
            stderr: result.stderr.slice(0, 500),
          });
      },
    );
  }
}
