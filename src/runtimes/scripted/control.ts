// A file with one command per line, by which a test steers the agent. Polled, because it may be made after the start.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export type Command =
  | { readonly verb: 'pause' | 'resume' | 'interrupt' | 'hang' }
  | { readonly verb: 'crash'; readonly how: string }
  | { readonly verb: 'ask' | 'say' | 'draft' | 'title'; readonly text: string }
  | { readonly verb: 'flood' | 'exit'; readonly count: number };

const pollMs = 50;

/** @returns how to stop watching. */
export function watchControl(path: string, onCommand: (command: Command) => void): () => void {
  let offset = 0;
  let rest = '';
  const timer = setInterval(() => {
    const chunk = readFrom(path, offset);
    offset += chunk.length;
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const command = parseCommand(line);
      if (command !== null) onCommand(command);
    }
  }, pollMs);
  return () => clearInterval(timer);
}

export function parseCommand(line: string): Command | null {
  const [verb = '', ...words] = line.trim().split(' ');
  const text = words.join(' ');
  switch (verb) {
    case 'pause':
    case 'resume':
    case 'interrupt':
    case 'hang':
      return { verb };
    case 'crash':
      return { verb, how: text || 'SIGKILL' };
    case 'ask':
    case 'say':
    case 'draft':
    case 'title':
      return { verb, text };
    case 'flood':
    case 'exit':
      return { verb, count: Number(text) || 0 };
    default:
      return null;
  }
}

function readFrom(path: string, offset: number): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const size = fstatSync(file).size - offset;
      if (size <= 0) return Buffer.alloc(0);
      const chunk = Buffer.alloc(size);
      return chunk.subarray(0, readSync(file, chunk, 0, size, offset));
    } finally {
      closeSync(file);
    }
  } catch {
    // Not there yet.
    return Buffer.alloc(0);
  }
}
