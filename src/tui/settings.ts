// The two settings of config.json that the console itself needs. A file that does not parse is the host's to report.
import { readFile } from 'node:fs/promises';
import { type Config, configSchema, defaultConfig } from '../core/config.ts';
import { homePaths } from '../platform/paths.ts';
import { type PrefixKey, prefixKey } from './attach/prefix-keys.ts';

export interface ConsoleSettings {
  readonly prefix: PrefixKey;
  readonly allowClipboard: boolean;
}

export const defaultSettings: ConsoleSettings = settingsOf(defaultConfig);

export async function readSettings(home: string): Promise<ConsoleSettings> {
  let config = defaultConfig;
  try {
    const parsed = configSchema.safeParse(JSON.parse(await readFile(homePaths(home).config, 'utf8')));
    if (parsed.success) config = parsed.data;
  } catch {
    // None, or not JSON.
  }
  return settingsOf(config);
}

function settingsOf(config: Config): ConsoleSettings {
  return { prefix: prefixKey(config.detachKey), allowClipboard: config.clipboard === 'allow' };
}
