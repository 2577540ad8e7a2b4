// What an agent did, read from the runtime's own transcript.

export const timelineKinds = ['user', 'assistant', 'tool', 'tool-result', 'compaction', 'model', 'error'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelineEntry {
  /** ISO time, or null when the transcript has none. */
  readonly at: string | null;
  readonly kind: TimelineKind;
  /** As in the transcript, not made inert. For `tool`: the arguments in short. */
  readonly text: string;
  readonly tool?: string;
  readonly failed?: boolean;
  readonly tokens?: TimelineTokens;
}

export interface TimelineTokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}
