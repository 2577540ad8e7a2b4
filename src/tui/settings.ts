// The two settings of config.json that the console itself needs. A file that does not parse is the host's to report.
import { readTextIfThere } from '../platform/atomic-file.ts';
import { homePaths } from '../platform/paths.ts';
import { type PrefixKey, prefixKey } from './attach/prefix-keys.ts';

export interface ConsoleSettings {
  readonly prefix: PrefixKey;
  readonly allowClipboard: boolean;
}

export const defaultSettings: ConsoleSettings = { prefix: prefixKey('C-]'), allowClipboard: false };

export async function readSettings(home: string): Promise<ConsoleSettings> {
  try {
    const text = await readTextIfThere(homePaths(home).config);
    if (text === null) return defaultSettings;
    // The schema is loaded only when there is something to check: it costs more than everything else here.
    const { configSchema } = await import('../core/config.ts');
    const { detachKey, clipboard } = configSchema.parse(JSON.parse(text));
    return { prefix: prefixKey(detachKey), allowClipboard: clipboard === 'allow' };
  } catch {
    return defaultSettings;
  }
}
