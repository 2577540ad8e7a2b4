// Runs git. The only file that touches simple-git. Content of a worktree belongs to an agent, and so may the files that
// git would take orders from; so every call here disables what would run a program: hooks, fsmonitor, external diffs,
// pagers, editors, automatic maintenance. Filters have no such switch: see `confinement` in place.ts.
import { type SimpleGitOptions, simpleGit } from 'simple-git';

export interface GitResult {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitCall {
  readonly cwd: string;
  /** Name the repository here; a `.git` file inside a worktree is the agent's and is never followed. */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The call is killed when git has been silent for this long. */
  readonly silentMs?: number;
  /** Instead of git on PATH. */
  readonly program?: string;
  /** Leave core.hooksPath as the operator has set it: for a call that reads settings and runs no hook. */
  readonly ownHooksPath?: boolean;
}

/** A network call that says nothing for this long has lost its remote. */
export const networkSilentMs = 60_000;
const localSilentMs = 120_000;

const quietConfig = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.commitGraph=true',
  'diff.external=',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'push.gpgSign=false',
  'advice.detachedHead=false',
  'protocol.ext.allow=never',
];
const noHooks = 'core.hooksPath=/dev/null';

/** The operator's own ways to reach a remote. Everything else that starts with GIT_ is not passed on. */
const keptEnvironment = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'SSH_ASKPASS'];
const ownEnvironment = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_TERMINAL_PROMPT',
  'GIT_OPTIONAL_LOCKS',
  'GIT_EDITOR',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_DATE',
];

/** A failure is a value; only a git that cannot be started has exitCode -1. */
export async function runGit(call: GitCall, args: readonly string[]): Promise<GitResult> {
  let outcome = { exitCode: -1, stderr: '' };
  const options: Partial<SimpleGitOptions> = {
    baseDir: call.cwd,
    ...(call.program === undefined ? {} : { binary: call.program }),
    maxConcurrentProcesses: 4,
    config: call.ownHooksPath === true ? quietConfig : [...quietConfig, noHooks],
    allowEnvironment: [...keptEnvironment, ...ownEnvironment],
    completion: { onClose: true, onExit: false },
    timeout: { block: call.silentMs ?? localSilentMs },
    unsafe: {
      allowUnsafeCustomBinary: true,
      allowUnsafeAskPass: true,
      allowUnsafeSshCommand: true,
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeDiffExternal: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafeEditor: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeGpgProgram: true,
      allowUnsafeSubmodule: true,
      allowUnsafeTemplateDir: true,
    },
    ...(call.input === undefined ? {} : { input: () => call.input }),
    errors: (error, result) => {
      const stderr = Buffer.concat(result.stdErr).toString('utf8');
      outcome = { exitCode: result.exitCode, stderr: stderr || (error instanceof Error ? error.message : '') };
      // The exit code tells; text on standard error alone is no failure.
      return undefined;
    },
  };
  try {
    const stdout = await simpleGit(options)
      .env(environment(call))
      .raw([...args]);
    return { ok: outcome.exitCode === 0, stdout, ...outcome };
  } catch (error) {
    return { ok: false, exitCode: -1, stdout: '', stderr: error instanceof Error ? error.message : String(error) };
  }
}

function environment(call: GitCall): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && (!name.startsWith('GIT_') || keptEnvironment.includes(name)) && !dangerous.has(name)
        ? [[name, value]]
        : [],
    ),
  );
  return {
    ...inherited,
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: 'true',
    ...(call.gitDir === undefined ? {} : { GIT_DIR: call.gitDir }),
    ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
    ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
    ...call.env,
  };
}

/** Programs that git would start on its own; none is needed here. */
const dangerous = new Set(['EDITOR', 'VISUAL', 'PAGER', 'PREFIX']);
