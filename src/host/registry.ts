// All runs of one home. A row leaves only when a person takes the folder away; a run that cannot be read stays listed.
import { readdir } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { GatehouseError, toErrorBody } from '../core/error.ts';
import type { RunSummary } from '../core/run.ts';
import type { Task } from '../core/task.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { Actor } from '../protocol/operator.ts';
import type { HostParts } from './host-parts.ts';
import { Run } from './run.ts';
import { Semaphore } from './semaphore.ts';
import { parseTask } from './task-file.ts';
import { chooseRuntime } from './choose-runtime.ts';
import { SerialQueue } from '../platform/serial-queue.ts';

/** Reading a run back parses its recording; a few at once keep the host answering. */
const adoptAtOnce = 6;
/** Each of them starts git a few times, which blocks for milliseconds; clients are served meanwhile. */
const takeUpAtOnce = 2;

export interface StartRequest {
  readonly taskText: string;
  readonly source: string;
  readonly repo: string;
  readonly runtime?: Config['runtimes'][string]['kind'] | undefined;
  readonly agent?: string | undefined;
  readonly scenario?: Record<string, unknown> | undefined;
  readonly actor: Actor;
}

export class Registry {
  private readonly runs = new Map<string, Run>();
  private readonly broken = new Map<string, RunSummary>();
  /** Being read back. */
  private readonly loading = new Set<string>();
  /** Worktrees of one clone are made one after another: git locks there. */
  private readonly starts = new SerialQueue();
  private readonly paths: HomePaths;
  private readonly parts: HostParts;
  private readonly log: Log;

  constructor(paths: HomePaths, parts: HostParts, log: Log) {
    this.paths = paths;
    this.parts = parts;
    this.log = log;
  }

  get size(): number {
    return this.runs.size + this.broken.size + this.loading.size;
  }

  get(id: string): Run {
    const run = this.runs.get(id);
    if (run !== undefined) return run;
    const broken = this.broken.get(id);
    if (broken !== undefined) {
      throw new GatehouseError(
        'file.unreadable',
        `${id}: ${broken.halt ?? 'cannot be read'}`,
        `look at ${broken.dir}; nothing was changed`,
      );
    }
    if (this.loading.has(id))
      throw new GatehouseError('run.busy', `${id} is still being read back`, 'try again in a moment');
    const near = [...this.runs.keys()].filter((name) => name.startsWith(id)).slice(0, 5);
    throw new GatehouseError(
      'run.unknown',
      `there is no run ${id}`,
      near.length > 0 ? `did you mean ${near.join(', ')}?` : 'gatehouse ls lists the runs',
    );
  }

  /** In the order in which they were started, for every client and over every restart. */
  rows(): RunSummary[] {
    const rest = [...this.loading].map((id) => placeholder(id, this.paths, '(being read back)', null));
    const rows = this.all().map((run) => run.summary());
    return rows.concat([...this.broken.values()], rest).sort(byStart);
  }

  /** Reads every run of the home back and finds its holder. */
  async load(): Promise<void> {
    const ids = (await readdir(this.paths.runs, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    for (const id of ids) this.loading.add(id);
    const slots = new Semaphore(adoptAtOnce);
    await Promise.all(ids.map((id) => slots.run(() => this.loadOne(id))));
  }

  /** Lets every run that was read back go on. */
  async takeUp(): Promise<void> {
    const slots = new Semaphore(takeUpAtOnce);
    await Promise.all(this.all().map((run) => slots.run(() => run.takeUp())));
  }

  start(request: StartRequest): Promise<RunSummary> {
    return this.starts.run(async () => {
      const task = parseTask(request.taskText, request.source);
      const choice = await chooseRuntime(this.parts.config, request);
      const id = this.freeId(task);
      const run = await Run.create(
        {
          version: 1,
          run: id,
          task,
          repo: request.repo,
          runtime: choice.config.kind,
          runtimeEntry: choice.entry,
          agent: request.agent ?? null,
          scenario: request.scenario ?? null,
          record: this.parts.config.record,
          runtimeWarning: null,
          createdAt: this.parts.clock().toISOString(),
          startedBy: request.actor.name,
          stopped: false,
          mainSession: null,
          enteredEntry: 0,
          restarts: { entry: 0, count: 0 },
          sessions: [],
        },
        this.parts,
      );
      this.runs.set(id, run);
      this.parts.touch();
      return run.summary();
    });
  }

  all(): Run[] {
    return [...this.runs.values()];
  }

  private async loadOne(id: string): Promise<void> {
    try {
      this.runs.set(id, await Run.open(id, this.parts));
    } catch (error) {
      this.log.error('a run cannot be read', { run: id, error: String(error) });
      this.broken.set(id, placeholder(id, this.paths, '(unreadable run)', toErrorBody(error).message));
    }
    this.loading.delete(id);
    this.parts.touch();
  }

  /** The task's id, made a folder name; the next free number when the task is worked again. */
  private freeId(task: Task): string {
    const base = task.id.toLowerCase();
    for (let n = 1; ; n++) {
      const id = n === 1 ? base : `${base}-${n}`;
      if (!this.runs.has(id) && !existsSync(join(this.paths.runs, id))) return id;
    }
  }
}

function byStart(a: RunSummary, b: RunSummary): number {
  return a.startedAt === b.startedAt ? compare(a.id, b.id) : compare(a.startedAt, b.startedAt);
}

/** By code units: what a locale says about the order must not matter. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The row of a run of which only the folder is known, which was made when the run was started. `why`: it cannot be read. */
function placeholder(id: string, paths: HomePaths, title: string, why: string | null): RunSummary {
  const run = paths.run(id);
  const made = (statSync(run.dir, { throwIfNoEntry: false })?.birthtime ?? new Date(0)).toISOString();
  return {
    id,
    task: { id, title, labels: [], priority: 'normal' },
    runtime: 'generic',
    agent: null,
    stage: why === null ? 'initialize' : 'halted',
    stageNumber: 1,
    activity: 'unknown',
    activityReason: why ?? 'the host has just started and reads it back',
    remedy: '',
    pendingToken: null,
    decisions: [],
    reviewCount: 0,
    reviewLimit: 0,
    needsMe: why !== null,
    needsMeReason: why === null ? '' : 'unreadable',
    since: made,
    halt: why,
    disputed: null,
    sandbox: 'none',
    recording: existsSync(run.recording) ? 'stopped' : 'missing',
    runtimeWarning: null,
    changes: 'watched',
    worktree: run.worktree,
    dir: run.dir,
    lastLine: '',
    startedAt: made,
  };
}
