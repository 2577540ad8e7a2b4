// How oh-my-pi is started: an extension of ours, a settings overlay, and a session folder that belongs to the run.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { ownFile } from '../own-files.ts';

export function launchOmp(context: LaunchContext): LaunchPlan {
  const own = join(context.runtimeDir, 'omp');
  const overlay = join(own, 'overlay.yml');
  const extension = ownFile('omp/extension.mjs', context.runtimeDir);
  const goesOn = context.kind === 'resumed' && context.runtimeSession !== null;
  const sessions = ompSessions(context.runtimeDir);
  return {
    argv: [
      ...interpreter(context.program),
      context.program,
      ...(goesOn ? ['--resume', context.runtimeSession ?? ''] : []),
      '--session-dir',
      sessions,
      '--config',
      overlay,
      '-e',
      extension.path,
      '--append-system-prompt',
      context.instructionsFile,
      ...(context.model === null ? [] : ['--model', context.model]),
      ...(context.permissionMode === null ? [] : ['--approval-mode', context.permissionMode]),
      ...context.config.args,
      ...(context.prompt === null ? [] : [context.prompt]),
    ],
    env: { OMP_SKIP_SETUP: '1', GATEHOUSE_GUARD: context.sandboxed ? 'report' : 'ask', ...context.config.env },
    // JSON is YAML.
    files: [
      { path: overlay, text: `${JSON.stringify(settings(context), null, 2)}\n` },
      extension,
      ownFile('reporter/run-socket.mjs', context.runtimeDir),
    ],
    ...statePaths({ ...context.agentEnv, ...context.config.env }, sessions),
    sessionIdKnown: goesOn ? context.runtimeSession : null,
    promptIncluded: context.prompt !== null,
  };
}

function settings(context: LaunchContext): object {
  return {
    startup: { setupWizard: false, quiet: true, checkUpdate: false },
    // Of the many looks of its composer the one that is known here: a draft is seen, and that it is there at all.
    symbolPreset: 'unicode',
    composer: { shape: 'band' },
    // A long paste opens a menu otherwise, and Enter would pick from it.
    paste: { largeMenuThreshold: 0 },
    skills: { customDirectories: [context.skillsDir] },
  };
}

export function ompSessions(runtimeDir: string): string {
  return join(runtimeDir, 'omp', 'sessions');
}

/** omp's first line asks for `bun` on PATH; installed by npm it stands beside it. */
function interpreter(program: string): string[] {
  const bun = join(dirname(program), 'bun');
  return existsSync(bun) ? [bun] : [];
}

function statePaths(
  env: Readonly<Record<string, string | undefined>>,
  sessions: string,
): Pick<LaunchPlan, 'writable' | 'stores' | 'copied'> {
  const folder = join(env.HOME ?? '/root', '.omp');
  const profile = env.OMP_PROFILE || env.PI_PROFILE;
  const agent = profile
    ? join(folder, 'profiles', profile, 'agent')
    : (env.PI_CODING_AGENT_DIR ?? join(folder, 'agent'));
  return {
    writable: [{ path: sessions, create: 'folder' }],
    stores: [
      {
        path: folder,
        rest: 'own',
        shared: [],
        settings: ['plugins/', 'marketplaces.json', /^python-env$/],
        own: [],
      },
      {
        path: agent,
        // Its databases, the login among them, can only be shared as a whole folder.
        rest: 'shared',
        shared: [],
        settings: [
          'config.yml',
          'models.yml',
          'mcp.json',
          'ssh.json',
          '.env',
          'AGENTS.md',
          'RULES.md',
          'SYSTEM.md',
          'agents/',
          'commands/',
          'extensions/',
          'hooks/',
          'managed-skills/',
          'modules/',
          'plugins/',
          'prompts/',
          'rules/',
          'skills/',
          'themes/',
          'tools/',
        ],
        own: ['cache/'],
      },
    ],
    copied: [],
  };
}
