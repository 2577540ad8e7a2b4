// How Codex is started: every setting of ours is a `-c` on the command line, laid over the operator's config.toml.
import { join } from 'node:path';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { readInstructions } from '../read-instructions.ts';
import { shellQuote } from '../shell-quote.ts';
import { type TomlValue, toml } from './toml.ts';

const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Stop',
] as const;
const hookTimeoutSeconds = 60;

export function launchCodex(context: LaunchContext): LaunchPlan {
  const goesOn = context.kind === 'resumed' && context.runtimeSession !== null;
  return {
    argv: [
      context.program,
      ...(goesOn ? ['resume'] : []),
      // Without it a background server of codex outlives the session and goes on working.
      '--no-daemon',
      // Hooks that the operator has not looked at open a dialog; these are ours and made for this session.
      '--dangerously-bypass-hook-trust',
      ...overrides(context),
      ...permissions(context),
      ...(context.model === null ? [] : ['-m', context.model]),
      ...context.config.args,
      ...(goesOn ? [context.runtimeSession ?? ''] : []),
      ...(context.prompt === null ? [] : [context.prompt]),
    ],
    env: context.config.env,
    files: [],
    ...statePaths({ ...context.agentEnv, ...context.config.env }),
    sessionIdKnown: goesOn ? context.runtimeSession : null,
    promptIncluded: context.prompt !== null,
  };
}

function overrides(context: LaunchContext): string[] {
  const command = `${shellQuote(context.latticeBin)} hook codex`;
  const hook: TomlValue = [{ matcher: '.*', hooks: [{ type: 'command', command, timeout: hookTimeoutSeconds }] }];
  const settings: Record<string, TomlValue> = {
    check_for_update_on_startup: false,
    // A login shell reads /etc/profile, which sets PATH anew, and `lattice` is gone.
    allow_login_shell: false,
    developer_instructions: `${readInstructions(context.instructionsFile)}\n${skillsNote(context)}`,
    // The worktree is ours and the operator has chosen the repository: no question whether to trust the folder.
    projects: { [context.worktree]: { trust_level: 'trusted' } },
    ...Object.fromEntries(hookEvents.map((event) => [`hooks.${event}`, hook])),
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${toml(value)}`]);
}

/** Codex knows no folder of skills on its command line; those of the workflow are read with `lattice skill NAME` anyway. */
function skillsNote(context: LaunchContext): string {
  return `The skills are in ${context.skillsDir}. Read those of the workflow with \`lattice skill NAME\`, others as NAME/SKILL.md there.`;
}

function permissions(context: LaunchContext): string[] {
  const approval = context.permissionMode === null ? [] : ['-a', context.permissionMode];
  // One sandbox is enough, and codex's own cannot be made inside of ours.
  if (context.sandboxed) return ['-s', 'danger-full-access', ...(approval.length === 0 ? ['-a', 'never'] : approval)];
  const roots = toml([context.artifactsDir, context.evidenceDir]);
  // `lattice` talks over a socket, which codex counts as network.
  return [
    '-s',
    'workspace-write',
    '-c',
    `sandbox_workspace_write.writable_roots=${roots}`,
    '-c',
    'sandbox_workspace_write.network_access=true',
    ...approval,
  ];
}

export function statePaths(
  env: Readonly<Record<string, string | undefined>>,
): Pick<LaunchPlan, 'writable' | 'stores' | 'copied'> {
  const folder = env.CODEX_HOME ?? join(env.HOME ?? '/root', '.codex');
  return {
    writable: [],
    stores: [
      {
        path: folder,
        rest: 'own',
        shared: ['sessions/', 'archived_sessions/', 'auth.json'],
        settings: [
          'config.toml',
          'hooks.json',
          'AGENTS.md',
          'AGENTS.override.md',
          'agents/',
          'hooks/',
          'plugins/',
          'prompts/',
          'rules/',
          'skills/',
          // Profiles, managed settings, and the scripts that settings name.
          /\.(toml|sh|bash|zsh|py|rb|pl|ts|[cm]?js)$/,
          /^(bin|scripts|themes)$/,
        ],
        own: [],
      },
    ],
    copied: [],
  };
}
