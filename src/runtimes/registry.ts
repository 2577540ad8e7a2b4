// Which adapter drives which runtime.
import { type RuntimeConfig, type RuntimeName, runtimeConfigSchema } from '../core/config.ts';
import type { RuntimeAdapter } from './adapter.ts';
import { claudeAdapter } from './claude/adapter.ts';
import { codexAdapter } from './codex/adapter.ts';
import { genericAdapter } from './generic/adapter.ts';
import { ompAdapter } from './omp/adapter.ts';
import { opencodeAdapter } from './opencode/adapter.ts';
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
    case 'claude':
      return claudeAdapter;
    case 'codex':
      return codexAdapter;
    case 'omp':
      return ompAdapter;
    case 'opencode':
      return opencodeAdapter;
  }
}
