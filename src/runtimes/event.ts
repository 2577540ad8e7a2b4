// What a runtime tells about itself, in one vocabulary.

interface Told {
  /** Epoch milliseconds: the sender's clock when it said, else when we heard of it. */
  readonly at: number;
  /** Counts up within one start of the program; null when the sender does not count. */
  readonly sequence: number | null;
  /** The conversation it belongs to, when the payload says. */
  readonly session: string | null;
  /** Value of GATEHOUSE_SESSION_ID around the sender: tells an event of an earlier start from one of this start. */
  readonly marker: string | null;
}

export type RuntimeEventBody =
  | { readonly type: 'session-started'; readonly source: string; readonly transcript: string | null }
  | { readonly type: 'turn-started'; readonly prompt: string | null }
  | { readonly type: 'tool-called'; readonly name: string; readonly summary: string; readonly call: ToolCall | null }
  | { readonly type: 'tool-finished'; readonly name: string; readonly failed: boolean }
  /** It waits for a person: a permission, a question. */
  | { readonly type: 'asked'; readonly text: string }
  | { readonly type: 'answered' }
  | { readonly type: 'turn-ended'; readonly lastMessage: string | null; readonly interrupted: boolean }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'error'; readonly text: string; readonly status: number | null }
  | { readonly type: 'session-ended'; readonly reason: string };

export type RuntimeEvent = Told & RuntimeEventBody;
export type RuntimeEventType = RuntimeEvent['type'];

/** A tool call that asks for permission: what it would write or run, as far as the payload says. */
export interface ToolCall {
  readonly name: string;
  /** Files it names as its target; as in the payload, maybe relative to the session's folder. */
  readonly paths: readonly string[];
  /** A shell command line. */
  readonly command: string | null;
  /** It changes files by nature (an edit), not only perhaps (a shell). */
  readonly edits: boolean;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Share of the context window in use, 0-1. */
  readonly contextShare: number | null;
}

/** What our senders (extension, plugin, `lattice hook`) put next to the runtime's own payload. */
export interface Envelope {
  readonly at: number;
  readonly sequence: number | null;
  readonly marker: string | null;
}
