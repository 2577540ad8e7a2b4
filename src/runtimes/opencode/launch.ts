// How OpenCode is started: its configuration can be given in the environment, which it merges over the operator's.
import { join } from 'node:path';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { ownFile } from '../own-files.ts';

export function launchOpencode(context: LaunchContext): LaunchPlan {
  const goesOn = context.kind === 'resumed' && context.runtimeSession !== null;
  const plugin = ownFile('opencode/plugin.mjs', context.runtimeDir);
  const env = { ...context.agentEnv, ...context.config.env };
  // With a session to go on with, --prompt is taken and never sent.
  const promptIncluded = context.prompt !== null && !goesOn;
  return {
    argv: [
      context.program,
      ...(goesOn ? ['-s', context.runtimeSession ?? ''] : []),
      ...(context.model === null ? [] : ['-m', context.model]),
      ...context.config.args,
      ...(promptIncluded ? ['--prompt', context.prompt ?? ''] : []),
    ],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      GATEHOUSE_GUARD: context.sandboxed ? 'report' : 'ask',
      ...context.config.env,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(overlay(context, plugin.path, env.OPENCODE_CONFIG_CONTENT)),
    },
    files: [plugin, ownFile('reporter/run-socket.mjs', context.runtimeDir)],
    ...statePaths(env),
    sessionIdKnown: goesOn ? context.runtimeSession : null,
    promptIncluded,
  };
}

/** What the operator gives by the same variable stays; ours is added. */
function overlay(context: LaunchContext, plugin: string, given: string | undefined): object {
  const theirs = parse(given);
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  const skills = typeof theirs.skills === 'object' && theirs.skills !== null ? theirs.skills : {};
  return {
    ...theirs,
    autoupdate: false,
    plugin: [...list(theirs.plugin), `file://${plugin}`],
    instructions: [...list(theirs.instructions), context.instructionsFile],
    skills: { ...skills, paths: [...list((skills as Record<string, unknown>).paths), context.skillsDir] },
    permission: context.permissionMode ?? ownFolders(context, theirs.permission),
  };
}

/** The run's own folders lie outside of the worktree: without this every look into one opens a dialog. */
function ownFolders({ artifactsDir, evidenceDir, skillsDir }: LaunchContext, given: unknown): object {
  const allowed = [artifactsDir, evidenceDir, skillsDir].map((folder) => [`${folder}/*`, 'allow'] as const);
  const theirs = rules(given);
  return { ...theirs, external_directory: { ...rules(theirs.external_directory), ...Object.fromEntries(allowed) } };
}

/** A single word stands for everything. */
function rules(given: unknown): Record<string, unknown> {
  if (typeof given === 'string') return { '*': given };
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    return text === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
  } catch {
    // OpenCode would refuse it, too; then ours alone is valid.
    return {};
  }
}

export function opencodeData(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.XDG_DATA_HOME ?? join(env.HOME ?? '/root', '.local', 'share'), 'opencode');
}

function statePaths(
  env: Readonly<Record<string, string | undefined>>,
): Pick<LaunchPlan, 'writable' | 'stores' | 'copied'> {
  const home = env.HOME ?? '/root';
  const folder = (variable: string, ...fallback: string[]) =>
    join(env[variable] ?? join(home, ...fallback), 'opencode');
  const everything = /./;
  return {
    writable: [{ path: folder('XDG_STATE_HOME', '.local', 'state'), create: 'folder' }],
    stores: [
      // One database holds all conversations. What it downloads to start is kept apart.
      { path: opencodeData(env), rest: 'shared', shared: [], settings: [], own: ['bin/'] },
      { path: folder('XDG_CACHE_HOME', '.cache'), rest: 'own', shared: [], settings: [everything], own: [] },
      {
        path: folder('XDG_CONFIG_HOME', '.config'),
        // It installs what its plugins need beside its configuration.
        rest: 'own',
        shared: [],
        settings: [
          'opencode.json',
          'opencode.jsonc',
          'config.json',
          'AGENTS.md',
          ...['agent', 'command', 'mode', 'plugin', 'skill', 'theme', 'tool'].flatMap((n) => [`${n}/`, `${n}s/`]),
          everything,
        ],
        own: [],
      },
    ],
    copied: [],
  };
}
