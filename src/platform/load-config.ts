import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Config, configSchema, defaultConfig } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import { firstIssue } from '../core/first-issue.ts';
import { readTextIfThere } from './atomic-file.ts';

/** @throws GatehouseError `config.invalid`, naming the field; the file is never touched. */
export async function loadConfig(path: string): Promise<Config> {
  const invalid = (why: string, cause: unknown) =>
    new GatehouseError('config.invalid', `${path}: ${why}`, 'correct the file, or move it away to use the defaults', {
      cause,
    });
  let value: unknown;
  try {
    const text = await readTextIfThere(path);
    if (text === null) return defaultConfig;
    value = JSON.parse(text);
  } catch (error) {
    throw invalid((error as Error).message, error);
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(firstIssue(parsed.error), parsed.error);
}

/** A file that config.json names: `~/` is the operator's home, what is relative starts in the folder of config.json. */
export function configuredFile(home: string, path: string): string {
  return path.startsWith('~/') ? resolve(homedir(), path.slice(2)) : resolve(home, path);
}
