// How Claude Code is started: the operator's own configuration stays as it is, ours is laid over it for this session.
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchContext, LaunchFile, LaunchPlan } from '../adapter.ts';
import { projectName } from './transcript.ts';
import { copySkills } from '../copy-skills.ts';
import { shellQuote } from '../shell-quote.ts';

const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const;
const hookTimeoutSeconds = 60;

export function launchClaude(context: LaunchContext): LaunchPlan {
  const own = join(context.runtimeDir, 'claude');
  const settings = join(own, 'settings.json');
  const skills = copySkills(context.skillsDir, join(own, 'workspace', '.claude', 'skills'));
  const goesOn = context.kind === 'resumed' && context.runtimeSession !== null;
  const session = goesOn ? (context.runtimeSession ?? '') : randomUUID();
  const files: LaunchFile[] = [{ path: settings, text: `${JSON.stringify(overlay(context), null, 2)}\n` }, ...skills];
  return {
    argv: [
      context.program,
      ...context.config.args,
      // In front of the options: some of them take every word that follows.
      ...(context.prompt === null ? [] : [context.prompt]),
      ...(goesOn ? ['--resume', session] : ['--session-id', session]),
      '--settings',
      settings,
      '--append-system-prompt-file',
      context.instructionsFile,
      // Else a resumed session keeps the instructions of its first start.
      '--system-prompt-snapshot',
      'off',
      ...(context.model === null ? [] : ['--model', context.model]),
      ...(context.permissionMode === null ? [] : ['--permission-mode', context.permissionMode]),
      '--allowedTools',
      'Bash(lattice:*)',
      '--add-dir',
      join(own, 'workspace'),
      context.artifactsDir,
    ],
    env: {
      DISABLE_AUTOUPDATER: '1',
      // The worktree is ours and the operator has chosen the repository: no question whether to trust the folder.
      CLAUDE_CODE_SANDBOXED: '1',
      ...(context.permissionMode === 'bypassPermissions' && context.sandboxed ? { IS_SANDBOX: '1' } : {}),
      ...context.config.env,
    },
    files,
    ...statePaths({ ...context.agentEnv, ...context.config.env }, context.worktree),
    sessionIdKnown: session,
    promptIncluded: context.prompt !== null,
  };
}

function overlay(context: LaunchContext): object {
  const command = `${shellQuote(context.latticeBin)} hook claude`;
  const hook = { hooks: [{ type: 'command', command, timeout: hookTimeoutSeconds }] };
  return {
    hooks: Object.fromEntries(hookEvents.map((event) => [event, [hook]])),
    // Only ever shown in the mode it belongs to, which the operator chose in config.json.
    ...(context.permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
}

/** What of its folder is data; anything else that it writes belongs to the run. */
export function statePaths(
  env: Readonly<Record<string, string | undefined>>,
  worktree: string,
): Pick<LaunchPlan, 'writable' | 'stores' | 'copied'> {
  const home = env.HOME ?? '/root';
  const folder = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
  return {
    writable: [{ path: join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'claude-cli-nodejs'), create: 'folder' }],
    stores: [
      {
        path: folder,
        rest: 'own',
        // Not the conversations and notes of other projects.
        shared: [...conversations(worktree), '.credentials.json'],
        settings: [
          'settings.json',
          'settings.local.json',
          'CLAUDE.md',
          'keybindings.json',
          'agents/',
          'commands/',
          'hooks/',
          'output-styles/',
          'plugins/',
          'rules/',
          'skills/',
          'workflows/',
          // Settings name scripts that stand beside them.
          /\.(sh|bash|zsh|py|rb|pl|ts|[cm]?js)$/,
          /^(bin|scripts|themes)$/,
        ],
        own: [],
      },
    ],
    // Servers that every session of the operator starts stand in it, beside counters and hints.
    copied: [env.CLAUDE_CONFIG_DIR === undefined ? join(home, '.claude.json') : join(folder, '.claude.json')],
  };
}

/** A longer name is cut and hashed by the program, in a way of its own. */
const longestProjectName = 200;

/** The folder of this project's. The program names it by where it finds itself, behind all links. */
function conversations(worktree: string): string[] {
  const names = new Set([worktree, realPath(worktree)].map(projectName));
  const isCut = [...names].some((name) => name.length > longestProjectName);
  return isCut ? ['projects/'] : [...names].map((name) => `projects/${name}/`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet: then nothing of it can be a link.
    return path;
  }
}
