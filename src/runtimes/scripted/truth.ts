// What the agent really did, one JSON object per line. It is written at once and never read back by the agent: tests compare it
// with what the product shows.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';

export type Truth =
  | {
      readonly type: 'started';
      readonly pid: number;
      readonly session: string;
      readonly resumed: boolean;
      readonly scenario: string;
    }
  | { readonly type: 'state'; readonly state: 'working' | 'idle' | 'blocked' | 'exited' }
  | {
      readonly type: 'message';
      readonly text: string;
      readonly sha256: string;
      readonly via: 'typed' | 'pasted' | 'argument' | 'control';
    }
  | { readonly type: 'stage'; readonly stage: string; readonly scenario: string }
  | { readonly type: 'tool'; readonly name: string; readonly command: string; readonly exitCode: number | null }
  | { readonly type: 'tool-refused'; readonly name: string; readonly command: string; readonly reason: string }
  | { readonly type: 'edit'; readonly file: string; readonly outcome: string }
  | { readonly type: 'dialog'; readonly text: string; readonly answer: 'open' | 'approved' | 'denied' }
  | { readonly type: 'interrupted' }
  | { readonly type: 'dropped-input'; readonly bytes: number }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'exit'; readonly code: number; readonly reason: string };

export class TruthLog {
  private readonly path: string | null;

  constructor(path: string | null) {
    this.path = path;
  }

  note(truth: Truth): void {
    if (this.path === null) return;
    appendFileSync(this.path, `${JSON.stringify({ at: new Date().toISOString(), ...truth })}\n`, { mode: 0o600 });
  }

  message(text: string, via: Extract<Truth, { type: 'message' }>['via']): void {
    this.note({ type: 'message', text, sha256: createHash('sha256').update(text).digest('hex'), via });
  }
}
