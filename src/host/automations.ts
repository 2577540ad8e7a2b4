// Automations of the configuration: something that happens outside when a run enters a stage. They have a time limit
// and a log, and nothing that goes wrong in one reaches the run.
//
// One that was carried to its end is not fired again for the same transition. A host that is killed in the middle of
// one fires it again, with the same id: a command gets each transition at least once.
import type { Automation, Config } from '../core/config.ts';
import { toErrorBody } from '../core/error.ts';
import { maskSecrets } from '../core/secrets.ts';
import { exec } from '../platform/exec.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import { AutomationLog, type AutomationResult } from './automation-log.ts';
import type { EnteredRun, StageMove } from './host-parts.ts';
import type { Registry } from './registry.ts';

const keptOutputChars = 2_000;
/** Runs of automations are known by this name, so that one does not lead to the next without an end. */
const actorPrefix = 'automation ';

export class Automations {
  private readonly config: Config;
  private readonly registry: Registry;
  private readonly paths: HomePaths;
  private readonly log: Log;
  private readonly underWay = new Set<string>();
  private readonly allRead: Promise<void>;
  private markAllRead: () => void = () => {};

  constructor(config: Config, registry: Registry, paths: HomePaths, log: Log) {
    this.config = config;
    this.registry = registry;
    this.paths = paths;
    this.log = log;
    this.allRead = new Promise((resolve) => (this.markAllRead = resolve));
  }

  /** All runs of the home are known: what a host before was killed in the middle of is done now. */
  begin(): void {
    this.markAllRead();
    for (const run of this.registry.all()) {
      for (const { automation: name, move } of this.logOf(run).cutOff()) {
        const automation = this.config.automations.find((each) => each.name === name);
        if (automation !== undefined) this.fire(automation, run, move);
      }
    }
  }

  stageEntered(run: EnteredRun, move: StageMove): void {
    for (const automation of this.config.automations) if (automation.on === move.to) this.fire(automation, run, move);
  }

  /** That it was started is on record when this returns; its end comes later. */
  private fire(automation: Automation, run: EnteredRun, move: StageMove): void {
    const { name } = automation;
    const log = this.logOf(run);
    const key = `${name} ${move.id}`;
    if (this.underWay.has(key) || log.hasEnded(name, move)) return;
    this.underWay.add(key);
    log.note('started', name, move);
    this.carryOut(automation, run, move)
      .then((result) => {
        const isDone = result.exitCode === undefined || result.exitCode === 0;
        log.note(isDone ? 'done' : 'failed', name, move, result);
        if (!isDone) this.log.warn('an automation failed', { automation: name, run: run.record.run, ...result });
      })
      .catch((error: unknown) => {
        const { message } = toErrorBody(error);
        log.note('failed', name, move, { output: message });
        this.log.error('an automation failed', { automation: name, run: run.record.run, error: message });
      })
      .finally(() => this.underWay.delete(key));
  }

  private async carryOut(automation: Automation, run: EnteredRun, move: StageMove): Promise<AutomationResult> {
    await this.allRead;
    const { command, startAgent } = automation;
    const result = command === undefined ? {} : await this.runCommand(automation, command, run, move);
    const started = startAgent === undefined ? null : await this.startAgent(automation, startAgent, run, move);
    return started === null ? result : { ...result, run: started };
  }

  private logOf(run: EnteredRun): AutomationLog {
    return new AutomationLog(this.paths.run(run.record.run).automations);
  }

  private async runCommand(
    automation: Automation,
    command: readonly string[],
    run: EnteredRun,
    move: StageMove,
  ): Promise<AutomationResult> {
    const [program = '', ...args] = command;
    const detail = await run.detail();
    const result = await exec(program, args, {
      cwd: this.paths.home,
      input: `${JSON.stringify({ id: move.id, automation: automation.name, from: move.from, to: move.to, run: detail })}\n`,
      timeoutMs: automation.timeoutSeconds * 1000,
      endGroup: true,
      maxBytes: 1024 * 1024,
    });
    const output = maskSecrets(`${result.stdout}${result.stderr}`).slice(0, keptOutputChars);
    return { exitCode: result.exitCode, timedOut: result.timedOut, output };
  }

  /** A testing agent goes on as a run of its own. @returns its id; null where none is due. */
  private async startAgent(
    automation: Automation,
    template: NonNullable<Automation['startAgent']>,
    { record }: EnteredRun,
    move: StageMove,
  ): Promise<string | null> {
    if (record.startedBy.startsWith(actorPrefix)) return null;
    const actor = `${actorPrefix}${automation.name} (${move.id})`.slice(0, 200);
    const before = this.registry.all().find((each) => each.record.startedBy === actor);
    if (before !== undefined) return before.record.run;
    const fill = (text: string) =>
      text
        .replaceAll('{task}', record.task.id)
        .replaceAll('{title}', record.task.title)
        .replaceAll('{run}', record.run);
    const front = JSON.stringify({
      id: `${record.task.id}-testing`,
      title: fill(template.title),
      labels: ['testing'],
      priority: record.task.priority,
    });
    // JSON is YAML, so the front matter needs no quoting rules of its own.
    const taskText = `---\n${front}\n---\n${fill(template.description)}\n`;
    const { id } = await this.registry.start({
      taskText,
      source: `automation of ${record.run}`,
      repo: record.repo,
      agent: template.agent,
      actor: { name: actor, user: 'automation', tty: null },
    });
    return id;
  }
}
