// Where everything of one home is. The only place that knows file names.
import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

export interface HomePaths {
  readonly home: string;
  readonly config: string;
  readonly hostLog: string;
  readonly hostLock: string;
  /** pid and start time of the host that runs or ran last. */
  readonly hostIdentity: string;
  /** Why the last start of a host failed; not there when it did not. */
  readonly hostFailure: string;
  /** Touched by whichever holder brings a host back, so that the others wait. */
  readonly hostStamp: string;
  /** Key of the journal's seals; never visible to a session. */
  readonly engineKey: string;
  /** How far the journal of every run goes. */
  readonly heads: string;
  readonly runs: string;
  /** Short, since a socket path over ~107 bytes fails with EINVAL. */
  readonly socketDir: string;
  readonly operatorSocket: string;
  run(id: string): RunPaths;
}

export interface RunPaths {
  readonly dir: string;
  readonly launch: string;
  readonly state: string;
  readonly journal: string;
  readonly artifacts: string;
  readonly evidence: string;
  /** Exact copies of what the engine recorded, by sha256; never visible to a session. */
  readonly versions: string;
  /** Files that a restored worktree did not have: moved here, never deleted. */
  readonly setAside: string;
  /** git index through which the engine looks at the worktree. */
  readonly engineIndex: string;
  /** A git that sees nothing but this run; there once a sandbox was made. */
  readonly confinedGit: string;
  /** How far effects were carried out: a journal sequence number. */
  readonly effectsDone: string;
  /** What automations did when the run entered a stage. */
  readonly automations: string;
  /** Checkout in which the final commit is made. */
  readonly delivery: string;
  /** Settings overlays and session stores of the runtime; private to the run. */
  readonly runtime: string;
  /** What a sandboxed runtime writes beside its settings; see StoreFolder. */
  readonly stores: string;
  /** What a sandbox is made from: the agent sees parts of it in other places, never the folder itself. */
  readonly sandbox: string;
  readonly recording: string;
  readonly index: string;
  readonly worktree: string;
  readonly holderSpec: string;
  readonly holderLog: string;
  readonly holderSocket: string;
  /** A folder of its own, so that a sandbox can show exactly this one. */
  readonly runSocketDir: string;
  readonly runSocket: string;
}

/** `--home`, else $GATEHOUSE_HOME, else $XDG_STATE_HOME/gatehouse, else ~/.local/state/gatehouse. */
export function resolveHome(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (option !== undefined && option !== '') return resolve(option);
  if (env.GATEHOUSE_HOME) return resolve(env.GATEHOUSE_HOME);
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'gatehouse');
  return join(env.HOME ?? homedir(), '.local', 'state', 'gatehouse');
}

export function homePaths(home: string, env: NodeJS.ProcessEnv = process.env): HomePaths {
  const socketDir = socketDirectory(home, env);
  const runs = join(home, 'runs');
  return {
    home,
    config: join(home, 'config.json'),
    hostLog: join(home, 'host.log'),
    hostLock: join(home, 'host.lock'),
    hostIdentity: join(home, 'host.json'),
    hostFailure: join(home, 'host.failed.json'),
    hostStamp: join(home, 'host.stamp'),
    engineKey: join(home, 'engine.key'),
    heads: join(home, 'heads.jsonl'),
    runs,
    socketDir,
    operatorSocket: join(socketDir, 'op.sock'),
    run: (id) => runPaths(join(runs, id), join(socketDir, shortHash(id, 10))),
  };
}

function runPaths(dir: string, sockets: string): RunPaths {
  return {
    dir,
    launch: join(dir, 'run.json'),
    state: join(dir, 'state.json'),
    journal: join(dir, 'journal.jsonl'),
    artifacts: join(dir, 'artifacts'),
    evidence: join(dir, 'evidence'),
    versions: join(dir, 'versions'),
    setAside: join(dir, 'set-aside'),
    engineIndex: join(dir, 'engine', 'index'),
    confinedGit: join(dir, 'sandbox', 'git-confined'),
    effectsDone: join(dir, 'effects.done'),
    automations: join(dir, 'automations.jsonl'),
    delivery: join(dir, 'delivery'),
    runtime: join(dir, 'runtime'),
    stores: join(dir, 'stores'),
    sandbox: join(dir, 'sandbox'),
    recording: join(dir, 'session.cast'),
    index: join(dir, 'session.index.jsonl'),
    worktree: join(dir, 'worktree'),
    holderSpec: join(dir, 'holder.spec.json'),
    holderLog: join(dir, 'holder.log'),
    holderSocket: `${sockets}.h`,
    runSocketDir: sockets,
    runSocket: join(sockets, 'run.sock'),
  };
}

function socketDirectory(home: string, env: NodeJS.ProcessEnv): string {
  const name = `gatehouse-${shortHash(home, 12)}`;
  const runtimeDir = env.XDG_RUNTIME_DIR;
  if (runtimeDir && runtimeDir.length <= 60) return join(runtimeDir, name);
  return join(tmpdir().length <= 40 ? tmpdir() : '/tmp', `${name}-${userInfo().uid}`);
}

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
