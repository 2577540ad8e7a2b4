import { readFile } from 'node:fs/promises';

/** Every line that is a JSON object; what cannot be read is left out (a last line may be half written). */
export async function readJsonLines(path: string): Promise<Record<string, unknown>[]> {
  return parseJsonLines(await readFile(path, 'utf8'));
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
