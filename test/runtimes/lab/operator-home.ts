// A home directory as an operator of some runtimes has it: logged in, so to speak, with the scripted model as provider.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RuntimeName } from '../../../src/core/config.ts';
import { programFolder, runtimeCache } from './programs.ts';

export type RealRuntime = Exclude<RuntimeName, 'scripted' | 'generic'>;

export interface OperatorHome extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Not below /tmp or /var/tmp: a sandbox has its own, and codex refuses a home there. */
const base = join(runtimeCache, 'homes');

export function operatorHome(runtimes: readonly RealRuntime[], modelUrl: string): OperatorHome {
  mkdirSync(base, { recursive: true });
  const root = mkdtempSync(join(base, 'gh-'));
  const home = join(root, 'home');
  mkdirSync(join(root, 'run'), { mode: 0o700, recursive: true });
  const write = (path: string, text: string | object) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof text === 'string' ? text : `${JSON.stringify(text, null, 2)}\n`);
  };
  write('.gitconfig', '[user]\n\tname = Test Operator\n\temail = operator@example.invalid\n');
  const settings = runtimes.map((runtime) => settingsOf[runtime](modelUrl));
  for (const { files } of settings) for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    root,
    home,
    env: {
      HOME: home,
      PATH: `${dirname(process.execPath)}:${programFolder}:/usr/local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/bash',
      USER: 'operator',
      XDG_RUNTIME_DIR: join(root, 'run'),
      ...Object.assign({}, ...settings.map(({ env }) => env)),
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

interface Settings {
  readonly files: Readonly<Record<string, string | object>>;
  readonly env: Readonly<Record<string, string>>;
}

/** As an agent's configuration names the scripted model. */
export const modelOf: Readonly<Record<RealRuntime, string>> = {
  claude: 'claude-sonnet-5',
  codex: 'scripted-1',
  omp: 'scripted/scripted-1',
  opencode: 'scripted/scripted-1',
};

const key = 'sk-scripted-0123456789abcdefghijklmnop';

const settingsOf: Readonly<Record<RealRuntime, (url: string) => Settings>> = {
  claude: (url) => ({
    files: {
      '.claude.json': {
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      },
    },
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  }),
  codex: (url) => ({
    files: {
      '.codex/config.toml': `model_provider = "scripted"
model = "scripted-1"
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2
`,
    },
    env: { OPENAI_API_KEY: key },
  }),
  omp: (url) => ({
    files: {
      '.omp/agent/models.yml': {
        providers: {
          scripted: {
            baseUrl: `${url}/v1`,
            apiKey: key,
            api: 'openai-completions',
            models: [
              {
                id: 'scripted-1',
                contextWindow: 200_000,
                maxTokens: 8_000,
                cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      },
    },
    env: {},
  }),
  opencode: (url) => ({
    files: {
      '.config/opencode/opencode.json': {
        enabled_providers: ['scripted'],
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { 'scripted-1': { name: 'Scripted 1', limit: { context: 200_000, output: 8_000 } } },
          },
        },
      },
    },
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
  }),
};
