// The environment of a session: the operator's, without what lets a program push, deploy, log in or speak for the
// operator. Pure. It holds with a sandbox and without.
import { join } from 'node:path';
import type { RuntimeName } from '../core/config.ts';
import type { RunPaths } from '../platform/paths.ts';

export interface SessionEnvOptions {
  readonly runId: string;
  readonly run: RunPaths;
  readonly runtime: RuntimeName;
  /** Folder that holds the `lattice` program; comes first on PATH. */
  readonly latticeDir: string;
  readonly sandboxed: boolean;
  /** Folder written by `installRefusingHooks`. */
  readonly hooksDir: string;
  /** What config.json says for this runtime. Named by the operator, so nothing is taken out. */
  readonly extra?: Readonly<Record<string, string>>;
}

export function sessionEnv(
  base: Readonly<Record<string, string | undefined>>,
  options: SessionEnvOptions,
): Record<string, string> {
  const kept = Object.entries(base).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0], options),
  );
  const env = Object.fromEntries(kept);
  return {
    ...env,
    ...(options.sandboxed ? caches(env, options.run) : {}),
    ...gitSettings(options.hooksDir),
    ...options.extra,
    PATH: [options.latticeDir, options.extra?.['PATH'] ?? env['PATH'] ?? '/usr/bin:/bin'].join(':'),
    GATEHOUSE_RUN: options.runId,
    GATEHOUSE_RUN_SOCKET: options.run.runSocket,
    GATEHOUSE_ARTIFACTS: options.run.artifacts,
    GATEHOUSE_EVIDENCE: options.run.evidence,
  };
}

/** Keys of model providers that a runtime logs in with; every other secret goes. */
const providerKeys: Readonly<Record<RuntimeName, RegExp | null>> = {
  claude: /^(ANTHROPIC_|CLAUDE_)/,
  codex: /^(OPENAI_|CODEX_|AZURE_OPENAI_)/,
  omp: /^(ANTHROPIC|CLAUDE|OPENAI|CODEX|AZURE_OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|OPENROUTER|GROQ|MISTRAL|DEEPSEEK|XAI|CEREBRAS|TOGETHER|FIREWORKS|MOONSHOT|ZAI|ZHIPU|DASHSCOPE|OMP|PI)_/,
  opencode:
    /^(ANTHROPIC|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|OPENROUTER|GROQ|MISTRAL|DEEPSEEK|XAI|CEREBRAS|TOGETHER|FIREWORKS|MOONSHOT|ZAI|ZHIPU|DASHSCOPE|OPENCODE)_/,
  scripted: null,
  generic: null,
};

// Whole families: what speaks for the operator (agents, buses, displays, terminal multiplexers, editors), what git and
// npm were told by whoever started us, and clouds and git hosts.
const droppedFamilies =
  /^(SSH|GPG|DBUS|VSCODE|TMUX|GATEHOUSE|GIT|AWS|AZURE|GCLOUD|CLOUDSDK|GH|GITHUB|GITLAB|GLAB|BITBUCKET|GITEA|CI_JOB|DOCKER|KUBE|BUILDKITE|CIRCLE|VAULT|OP)_/;
const droppedNames = new Set([
  'GNUPGHOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'ICEAUTHORITY',
  'SESSION_MANAGER',
  'DESKTOP_SESSION',
  'TMUX',
  'STY',
  'WINDOWID',
  'XDG_RUNTIME_DIR',
  'KRB5CCNAME',
  'KUBECONFIG',
  'NETRC',
  'INIT_CWD',
  'OLDPWD',
  'PWD',
]);
const secretWord = /(^|_)(TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|KEY|APIKEY|PAT|AUTH)(_|$)/i;
const secretEnding = /(TOKEN|SECRET|PASSWORD|PASSWD|APIKEY)$/i;
// npm hands its own settings and the package's facts down; only how to reach a registry is of use.
const npmSetting = /^npm_/i;
const npmKept = /^npm_config_(registry|https?_proxy|proxy|noproxy|cafile|ca)$/i;
// An inherited NODE_ENV=production would make a session's `npm install` leave half of the packages out.
const ours = new Set(['NODE_ENV', 'NODE_CHANNEL_FD', 'NODE_OPTIONS']);

function isKept(name: string, { runtime, sandboxed }: SessionEnvOptions): boolean {
  if (providerKeys[runtime]?.test(name)) return true;
  if (name === 'GIT_CONFIG_NOSYSTEM') return true;
  if (droppedNames.has(name) || droppedFamilies.test(name) || ours.has(name)) return false;
  if (secretWord.test(name) || secretEnding.test(name)) return false;
  if (npmSetting.test(name)) return npmKept.test(name);
  // A sandbox has its own /tmp and nothing of the operator's.
  return !(sandboxed && ['TMPDIR', 'TMP', 'TEMP', 'TMUX_TMPDIR'].includes(name));
}

/** Package managers write to caches in the home, which is read-only; the run's own folder outlives a relaunch. */
function caches(env: Readonly<Record<string, string>>, run: RunPaths): Record<string, string> {
  const names = { npm_config_cache: 'npm', YARN_CACHE_FOLDER: 'yarn', PIP_CACHE_DIR: 'pip', GOCACHE: 'go-build' };
  return Object.fromEntries(
    Object.entries(names)
      .filter(([name]) => env[name] === undefined)
      .map(([name, folder]) => [name, join(run.runtime, 'cache', folder)]),
  );
}

// Any address that can be pushed to begins with one of these; the other end of the rule is a transport that git does
// not have, and its error names it.
const pushPrefixes = ['https://', 'http://', 'ssh://', 'git://', 'git@', 'file://', '/', './', '../'];

function gitSettings(hooksDir: string): Record<string, string> {
  const settings: readonly (readonly [string, string])[] = [
    ['core.hooksPath', hooksDir],
    // An empty value empties the list of helpers.
    ['credential.helper', ''],
    ['core.fsmonitor', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ...pushPrefixes.map((prefix) => ['url.refused-by-gatehouse://.pushInsteadOf', prefix] as const),
  ];
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
    // `git status` would like to refresh an index that is read-only.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: 'true',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
