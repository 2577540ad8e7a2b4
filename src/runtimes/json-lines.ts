// Conversations as the agent programs keep them: in folders that the agent can write.
import { readUntrusted } from '../platform/untrusted-file.ts';

/** A conversation of weeks with its pictures; what is larger is not one. */
const maxBytes = 256 * 1024 * 1024;

/** Every line that is a JSON object; what cannot be read is left out (a last line may be half written). */
export async function readJsonLines(path: string): Promise<Record<string, unknown>[]> {
  const read = await readUntrusted(path, maxBytes);
  return read.ok ? parseJsonLines(read.data.toString('utf8')) : [];
}

export function parseJsonLines(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line.trim() === '' ? null : JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
}

/** The objects of a JSON list; none when it is something else. */
export function parseJsonList(text: string): Json[] {
  try {
    return listAt({ list: JSON.parse(text) as unknown }, 'list');
  } catch {
    return [];
  }
}

export type Json = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, ...keys: string[]): Json {
  const found = valueAt(value, ...keys);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : {};
}

export function textAt(value: unknown, ...keys: string[]): string | null {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : null;
}

export function numberAt(value: unknown, ...keys: string[]): number {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}

export function listAt(value: unknown, ...keys: string[]): Json[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found.filter((each) => typeof each === 'object' && each !== null) : [];
}

function valueAt(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    value,
  );
}
