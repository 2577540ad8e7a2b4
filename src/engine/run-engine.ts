// Brings a run into being, or back from its files after a host has gone.
import { GatehouseError } from '../core/error.ts';
import { initialState } from '../core/initial-state.ts';
import type { RepositoryFacts, RunState } from '../core/state.ts';
import type { Task } from '../core/task.ts';
import { transition } from '../core/transition.ts';
import { makePrivateDir, readTextIfThere } from '../platform/atomic-file.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import { EffectLog } from './effect-log.ts';
import type { RunHeads } from './head-ledger.ts';
import type { JournalEntry } from './journal.ts';
import type { EnginePorts, Workspace } from './ports.ts';
import { type EngineParts, RunEngine } from './engine.ts';
import { StateStore } from './store.ts';

export { RunEngine } from './engine.ts';

export interface EngineOptions {
  readonly run: string;
  readonly paths: RunPaths;
  readonly task: Task;
  /** The operator's clone. */
  readonly repo: string;
  /** From the agent's configuration; `fresh` refuses a review by the author's session. */
  readonly review: 'fresh' | 'same';
  /** The home's key; see `loadEngineKey`. */
  readonly key: Buffer;
  /** What the home knows of how far this run's journal goes. */
  readonly heads: RunHeads;
  readonly config: EngineParts['config'];
  readonly ports: EnginePorts;
  readonly log: Log;
}

/** Throws `repo.unusable`, `policy.invalid` or `run.exists` before anything is made. */
export async function createRun(options: EngineOptions): Promise<RunEngine> {
  const { run, paths } = options;
  if ((await readTextIfThere(paths.journal)) !== null) {
    throw new GatehouseError('run.exists', `run ${run} is already there`, 'see: gatehouse show RUN');
  }
  const beginning = await findBeginning(options);
  const store = storeOf(options);
  const begun = await begin(options, store, beginning).catch(async (thrown: unknown) => {
    // A run begins whole or not at all; where even that fails, the host's log says what is left.
    await workspaceFor(options, beginning.repository)
      .discard(beginning.repository.baselineCommit)
      .catch((error: unknown) => options.log.warn('a worktree was not taken back', { run, error: String(error) }));
    throw thrown;
  });
  const engine = assemble(options, store, begun.state, null, beginning.warnings);
  engine.remember(begun.effects, begun.state);
  return engine;
}

async function begin(options: EngineOptions, store: StateStore, { repository }: Beginning) {
  const state = await createState(options, store);
  await workspaceFor(options, repository).create(repository.baselineCommit);
  const event = { type: 'task.initialized' as const, repository, at: options.ports.clock().toISOString() };
  const verdict = transition(state, event);
  if (!verdict.ok) throw new GatehouseError('internal', verdict.rejection.message, verdict.rejection.hint);
  await store.append(event, verdict.state);
  return verdict;
}

async function createState(options: EngineOptions, store: StateStore): Promise<RunState> {
  const { run, paths, task, config, ports } = options;
  for (const folder of [paths.dir, paths.artifacts, paths.evidence, paths.versions]) await makePrivateDir(folder);
  const at = ports.clock().toISOString();
  const state = initialState({ run, task, tokens: config.tokens, reviewSession: options.review, at });
  await store.create(state);
  return state;
}

interface Beginning {
  readonly repository: RepositoryFacts;
  readonly warnings: readonly string[];
}

/** What the clone says now. */
async function findBeginning({ run, repo, task, config, ports }: EngineOptions): Promise<Beginning> {
  const clone = await ports.git.openClone(repo);
  const baseline = await ports.git.findBaseline(clone, task.priority, config.repositories[clone.root]);
  const repository: RepositoryFacts = {
    root: clone.root,
    remote: clone.remote,
    remoteUrl: clone.remoteUrl,
    baselineBranch: baseline.branch,
    baselineCommit: baseline.commit,
    developmentBranch: baseline.developmentBranch,
    workingBranch: `gatehouse/${run}`,
    reviewBranch: `gatehouse-review/${run}`,
    testCommand: baseline.policy.testCommand,
    setupCommand: baseline.policy.setupCommand,
    sync: baseline.policy.sync,
    terminology: [...baseline.policy.terminology],
    previewUrl: baseline.policy.previewUrl,
    policySource: baseline.policySource,
  };
  return { repository, warnings: baseline.warnings };
}

/** From its files alone; `inspect` sees the worktree. Never throws for what is wrong with its own files: that is `stateError`. */
export async function openRun(options: EngineOptions): Promise<RunEngine> {
  const store = storeOf(options);
  if (await isNotBegun(options)) await createState(options, store);
  const loaded = await store.load();
  if (!loaded.ok) return assemble(options, store, loaded.vouched, loaded.error, []);
  const engine = assemble(options, store, loaded.state, null, []);
  for (const { effects, state } of pendingEffects(options.paths, loaded.entries)) engine.remember(effects, state);
  if (loaded.state.stage === 'initialize') {
    const hint = 'gatehouse resume RUN begins it now; nobody has worked on it yet';
    await engine.halt('start-failed', 'the host was killed before there was a worktree', hint);
  }
  return engine;
}

/** A host was killed before the first decision. A journal that was taken away is known to the home. */
async function isNotBegun({ paths, heads }: EngineOptions): Promise<boolean> {
  if (heads.known() !== null) return false;
  const texts = await Promise.all([paths.journal, paths.state].map((path) => readTextIfThere(path)));
  return texts.every((text) => text === null);
}

function storeOf({ paths, key, heads, log }: EngineOptions): StateStore {
  return new StateStore(paths, key, heads, log);
}

function assemble(
  options: EngineOptions,
  store: StateStore,
  state: RunState | null,
  error: RunEngine['stateError'],
  warnings: readonly string[],
): RunEngine {
  const { run, paths, config, ports, log } = options;
  const effects = new EffectLog(paths.effectsDone);
  let known: { repository: RepositoryFacts; workspace: Workspace } | null = null;
  const workspaceOf = (current: RunState): Workspace => {
    if (current.repository === null) {
      throw new GatehouseError('run.busy', 'this run has no worktree yet', 'start the task again as a new run');
    }
    if (known?.repository.root !== current.repository.root) {
      known = { repository: current.repository, workspace: workspaceFor(options, current.repository) };
    }
    return known.workspace;
  };
  const prepare = async (): Promise<RepositoryFacts> => {
    const { repository } = await findBeginning(options);
    await workspaceFor(options, repository).create(repository.baselineCommit);
    return repository;
  };
  return new RunEngine(
    { run, paths, config, ports, log, store, effects, warnings, workspaceOf, prepare },
    state,
    error,
  );
}

function workspaceFor({ run, paths, ports }: EngineOptions, repository: RepositoryFacts): Workspace {
  return ports.git.workspace({
    run,
    root: repository.root,
    remote: repository.remote,
    worktree: paths.worktree,
    index: paths.engineIndex,
    confinedGit: paths.confinedGit,
    delivery: paths.delivery,
    branch: repository.workingBranch,
  });
}

/** Effects of decisions after the last one that is known to be carried out. */
function pendingEffects(paths: RunPaths, entries: readonly JournalEntry[]) {
  const last = entries.at(-1)?.seq ?? 0;
  // Without a record only the last decision can be unfinished: a host that lives writes it each time.
  const done = new EffectLog(paths.effectsDone).read() ?? last - 1;
  return entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    if (entry.seq <= done || before === undefined || entry.event.type === 'run.created') return [];
    const verdict = transition(before.state, entry.event);
    if (!verdict.ok) return [];
    // A host that comes back looks itself whether the session is where the state wants it.
    const effects = verdict.effects.filter((effect) => effect.type !== 'session.enter');
    return effects.length > 0 ? [{ effects, state: verdict.state }] : [];
  });
}
