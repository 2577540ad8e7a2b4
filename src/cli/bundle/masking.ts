// Masks secrets in one file's bytes. JSON is masked value by value, so that it stays JSON; other text as a whole; what is
// not text is left alone. Pure.
import { isUtf8 } from 'node:buffer';
import { maskStrings } from '../../core/secrets.ts';

export type Mask = (text: string) => string;

/** @returns null when there is nothing to mask. */
export function maskBytes(path: string, bytes: Buffer, mask: Mask): Buffer | null {
  if (!isText(bytes)) return null;
  const text = bytes.toString('utf8');
  const masked = /\.(jsonl|cast)$/.test(path)
    ? maskLines(text, mask)
    : path.endsWith('.json')
      ? maskJsonText(text, mask)
      : mask(text);
  return masked === text ? null : Buffer.from(masked, 'utf8');
}

/** Each line on its own; the end of the last one stays as it is. */
export function maskLines(text: string, mask: Mask): string {
  return text
    .split('\n')
    .map((line) => maskJsonText(line, mask))
    .join('\n');
}

function maskJsonText(text: string, mask: Mask): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Torn or no JSON: text like any other.
    return mask(text);
  }
  const masked = maskStrings(value, mask);
  if (masked === value) return text;
  return text.includes('\n') ? `${JSON.stringify(masked, null, 1)}\n` : JSON.stringify(masked);
}

function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, 8192).includes(0) && isUtf8(bytes);
}
