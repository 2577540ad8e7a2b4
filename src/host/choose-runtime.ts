// Which program works a run: the agent's runtime, or the one asked for, or the first that is installed.
import { type Config, type RuntimeConfig, type RuntimeName, runtimeNames } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import { adapterFor, defaultRuntimeConfig } from '../runtimes/registry.ts';

export interface RuntimeChoice {
  readonly config: RuntimeConfig;
  /** Its name in config.json, when it stands there. */
  readonly entry: string | null;
}

const builtIn: readonly RuntimeName[] = ['omp', 'claude', 'codex', 'opencode'];

export async function chooseRuntime(
  config: Config,
  wanted: { readonly runtime?: RuntimeName | undefined; readonly agent?: string | undefined },
): Promise<RuntimeChoice> {
  if (wanted.agent !== undefined) {
    const agent = config.agents[wanted.agent];
    if (agent === undefined) {
      throw new GatehouseError(
        'config.invalid',
        `config.json has no agent ${wanted.agent}`,
        `agents there: ${Object.keys(config.agents).join(', ') || 'none'}`,
      );
    }
    return runtimeByName(config, agent.runtime);
  }
  if (wanted.runtime !== undefined) return runtimeByName(config, wanted.runtime);
  for (const name of builtIn) {
    const choice = runtimeByName(config, name);
    if ((await adapterFor(choice.config).probe(choice.config, process.env)).ok) return choice;
  }
  throw new GatehouseError(
    'runtime.missing',
    'no agent program was found',
    'install omp, claude, codex or opencode, or name one with --runtime; gatehouse doctor tells more',
  );
}

/** A name of config.json's `runtimes`, or one of the built-in ones. */
export function runtimeByName(config: Config, name: string): RuntimeChoice {
  const entry = config.runtimes[name];
  if (entry !== undefined) return { config: entry, entry: name };
  const known = runtimeNames.find((each) => each === name);
  if (known === undefined || known === 'generic') {
    throw new GatehouseError(
      'config.invalid',
      `config.json has no runtime ${name}`,
      'add it under "runtimes", or name one of omp, claude, codex, opencode',
    );
  }
  return { config: defaultRuntimeConfig(known), entry: null };
}
