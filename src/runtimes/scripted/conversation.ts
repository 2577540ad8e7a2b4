// The session's conversation, one JSON object per line in `<session-dir>/<session>.jsonl`. It is all that a resumed session
// knows; a session without the file knows nothing.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly at: string;
  readonly kind: 'user' | 'assistant' | 'tool' | 'tool-result' | 'error';
  readonly text: string;
  readonly tool?: string;
  readonly failed?: boolean;
  /** What the agent keeps in mind of it: `evidence:dialog` -> `E3`. */
  readonly remember?: Readonly<Record<string, string>>;
}

export class Conversation {
  readonly path: string;
  private readonly past: Entry[] = [];

  constructor(sessionDir: string, session: string, resume: boolean) {
    mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
    this.path = join(sessionDir, `${session}.jsonl`);
    if (resume && existsSync(this.path)) this.past.push(...readEntries(this.path));
  }

  get length(): number {
    return this.past.length;
  }

  get messages(): readonly string[] {
    return this.past.filter((entry) => entry.kind === 'user').map((entry) => entry.text);
  }

  /** Newest value kept under a name. */
  recall(name: string): string | undefined {
    return this.past.findLast((entry) => entry.remember?.[name] !== undefined)?.remember?.[name];
  }

  recent(count: number): readonly Entry[] {
    return this.past.filter((entry) => entry.kind === 'user' || entry.kind === 'assistant').slice(-count);
  }

  add(entry: Omit<Entry, 'at'>): void {
    const full = { at: new Date().toISOString(), ...entry };
    this.past.push(full);
    appendFileSync(this.path, `${JSON.stringify(full)}\n`, { mode: 0o600 });
  }
}

/** A line that was cut off by a crash is left out. */
function readEntries(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry];
      } catch {
        return [];
      }
    });
}
