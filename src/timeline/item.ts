// One line of a timeline: what the transcript tells, and between it what Gatehouse itself knows.

export interface TimelineItem {
  /** ISO time; null when the source has none. */
  readonly at: string | null;
  /** A kind of src/runtimes/timeline.ts, or `stage` (a transition) or `marker` (of the recording). */
  readonly kind: string;
  readonly text: string;
  readonly tool?: string;
  readonly failed?: boolean;
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached: number };
  /** Number of the session of the run. */
  readonly session?: number;
}

export interface Timeline {
  /** Run id or file. */
  readonly of: string;
  /** `transcript`: the runtime's own. `recording`: markers and history only. */
  readonly source: 'transcript' | 'recording';
  /** Why it is not the transcript, or what is missing. */
  readonly notes: readonly string[];
  readonly items: readonly TimelineItem[];
}

/** By time; what has none stays behind what came before it. */
export function inOrder(lists: readonly (readonly TimelineItem[])[]): TimelineItem[] {
  const timed = lists.flatMap((list) => {
    let last = Number.NEGATIVE_INFINITY;
    return list.map((item) => {
      const at = item.at === null ? Number.NaN : Date.parse(item.at);
      if (!Number.isNaN(at)) last = at;
      return { item, at: last };
    });
  });
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ item }) => item);
}
