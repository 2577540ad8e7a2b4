// Automations of the configuration: something that happens outside when a run enters a stage. They have a time limit
// and a log, and nothing that goes wrong in one reaches the run.
import type { Automation, Config } from '../core/config.ts';
import { exec } from '../platform/exec.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { Registry } from './registry.ts';

export class Automations {
  private readonly config: Config;
  private readonly registry: Registry;
  private readonly paths: HomePaths;
  private readonly log: Log;

  constructor(config: Config, registry: Registry, paths: HomePaths, log: Log) {
    this.config = config;
    this.registry = registry;
    this.paths = paths;
    this.log = log;
  }

  stageEntered(run: string, from: string | null, to: string): void {
    for (const automation of this.config.automations) {
      if (automation.on !== to) continue;
      this.fire(automation, run, from, to).catch((error: unknown) =>
        this.log.error('an automation failed', { automation: automation.name, run, error: String(error) }),
      );
    }
  }

  private async fire(automation: Automation, run: string, from: string | null, to: string): Promise<void> {
    if (automation.command !== undefined) await this.runCommand(automation, automation.command, run, from, to);
    if (automation.startAgent !== undefined) await this.startAgent(automation.startAgent, run);
  }

  private async runCommand(
    automation: Automation,
    command: readonly string[],
    run: string,
    from: string | null,
    to: string,
  ): Promise<void> {
    const [program = '', ...args] = command;
    const detail = await this.registry.get(run).detail();
    const result = await exec(program, args, {
      cwd: this.paths.home,
      input: JSON.stringify({ automation: automation.name, from, to, run: detail }),
      timeoutMs: automation.timeoutSeconds * 1000,
      maxBytes: 1024 * 1024,
    });
    const facts = {
      automation: automation.name,
      run,
      exitCode: result.exitCode,
      timedOut: result.timedOut,
      output: `${result.stdout}${result.stderr}`.slice(0, 2000),
    };
    if (result.exitCode === 0) this.log.info('automation done', facts);
    else this.log.warn('automation failed', facts);
  }

  /** A testing agent goes on as a run of its own. */
  private async startAgent(template: NonNullable<Automation['startAgent']>, run: string): Promise<void> {
    const { record } = this.registry.get(run);
    const fill = (text: string) =>
      text.replaceAll('{task}', record.task.id).replaceAll('{title}', record.task.title).replaceAll('{run}', run);
    const front = JSON.stringify({
      id: `${record.task.id}-testing`,
      title: fill(template.title),
      labels: ['testing'],
      priority: record.task.priority,
    });
    // JSON is YAML, so the front matter needs no quoting rules of its own.
    const taskText = `---\n${front}\n---\n${fill(template.description)}\n`;
    await this.registry.start({
      taskText,
      source: `automation of ${run}`,
      repo: record.repo,
      agent: template.agent,
      actor: { name: 'automation', user: 'automation', tty: null },
    });
  }
}
