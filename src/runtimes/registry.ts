// Which adapter drives which runtime.
import { type RuntimeConfig, type RuntimeName, runtimeConfigSchema } from '../core/config.ts';
import type { RuntimeAdapter } from './adapter.ts';
import { genericAdapter } from './generic/adapter.ts';
import { scriptedAdapter } from './scripted-adapter.ts';

/** The settings of a runtime that config.json does not mention. */
export function defaultRuntimeConfig(kind: RuntimeName): RuntimeConfig {
  return runtimeConfigSchema.parse({ kind });
}

export function adapterFor(config: RuntimeConfig): RuntimeAdapter {
  switch (config.kind) {
    case 'scripted':
      return scriptedAdapter;
    case 'generic':
      return genericAdapter(config);
    default:
      throw new Error('not yet');
  }
}
