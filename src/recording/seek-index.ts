// The seek index next to a recording (`session.index.jsonl`): whole screens at some offsets, and where the markers are.
// It only saves time: whatever is missing, torn or contradicts the recording is left out and made again.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

/** What has to be played at most to show any moment: some 20 ms. */
export const keyframeEveryBytes = 256 * 1024;

export interface Keyframe {
  /** The snapshot shows everything before this byte offset of the recording. */
  readonly offset: number;
  readonly timeMs: number;
  readonly cols: number;
  readonly rows: number;
  readonly snapshot: string;
}

/** A marker, or the end of a session. */
export interface Mark {
  readonly offset: number;
  readonly timeMs: number;
  readonly kind: 'marker' | 'exit';
  readonly label: string;
}

export interface SeekIndex {
  readonly keyframes: readonly Keyframe[];
  readonly marks: readonly Mark[];
}

export const emptyIndex: SeekIndex = { keyframes: [], marks: [] };

export function indexPathOf(recording: string): string {
  return recording.replace(/\.cast$/, '').concat('.index.jsonl');
}

/** Reads what is sound, in order, up to `recordingBytes`; a file that is not there is an empty index. */
export function readIndex(path: string, recordingBytes: number): SeekIndex {
  const keyframes: Keyframe[] = [];
  const marks: Mark[] = [];
  for (const line of readText(path).lines) {
    const entry = parseEntry(line);
    if (entry === null || entry.offset > recordingBytes) break;
    if ('snapshot' in entry) keyframes.push(entry);
    else marks.push(entry);
  }
  return { keyframes, marks };
}

/** What a follower of a recording tells, whoever keeps it. */
export interface IndexSink {
  isDue(offset: number): boolean;
  keyframe(keyframe: Keyframe): void;
  mark(mark: Mark): void;
}

/** Keeps an index in memory; `save` writes it unless somebody else has. */
export class MemoryIndex implements IndexSink {
  readonly keyframes: Keyframe[];
  readonly marks: Mark[];

  constructor({ keyframes, marks }: SeekIndex = emptyIndex) {
    this.keyframes = [...keyframes];
    this.marks = [...marks];
  }

  isDue(offset: number): boolean {
    return isKeyframeDue(offset, this.keyframes.at(-1)?.offset ?? 0);
  }

  keyframe(keyframe: Keyframe): void {
    this.keyframes.push(keyframe);
  }

  mark(mark: Mark): void {
    if (mark.offset > (this.marks.at(-1)?.offset ?? -1)) this.marks.push(mark);
  }

  /** @throws the system's error, among others when the file is there. */
  save(path: string): void {
    const entries = [...this.keyframes, ...this.marks].toSorted((a, b) => a.offset - b.offset);
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  }
}

function isKeyframeDue(offset: number, last: number): boolean {
  return offset - last >= keyframeEveryBytes;
}

/** Appends to the index while a recording is followed; continues one that is there. */
export class IndexWriter implements IndexSink {
  private readonly path: string;
  private lastKeyframe = 0;
  private lastMark = -1;

  constructor(path: string, recordingBytes: number) {
    this.path = path;
    const { keyframes, marks } = readIndex(path, recordingBytes);
    this.lastKeyframe = keyframes.at(-1)?.offset ?? 0;
    this.lastMark = marks.at(-1)?.offset ?? -1;
    this.cutTail(keyframes.length + marks.length);
  }

  /** Is it time for a keyframe? */
  isDue(offset: number): boolean {
    return isKeyframeDue(offset, this.lastKeyframe);
  }

  keyframe(keyframe: Keyframe): void {
    if (keyframe.offset <= this.lastKeyframe) return;
    this.lastKeyframe = keyframe.offset;
    this.append(keyframe);
  }

  /** What is in the index already, after a restart, is not written twice. */
  mark(mark: Mark): void {
    if (mark.offset <= this.lastMark) return;
    this.lastMark = mark.offset;
    this.append(mark);
  }

  private append(entry: Keyframe | Mark): void {
    try {
      appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch {
      // No room on the disk: seeking gets slower, nothing is lost.
    }
  }

  private cutTail(goodLines: number): void {
    const { lines, torn } = readText(this.path);
    if (lines.length === goodLines && torn === '') return;
    const good = lines.slice(0, goodLines).map((line) => `${line}\n`);
    truncateSync(this.path, Buffer.byteLength(good.join('')));
  }
}

/** `torn`: what stands behind the last newline, left by a crash. */
function readText(path: string): { lines: string[]; torn: string } {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // Not there: an empty index.
  }
  const lines = text.split('\n');
  return { torn: lines.pop() ?? '', lines };
}

function parseEntry(line: string): Keyframe | Mark | null {
  let value: Partial<Keyframe & Mark>;
  try {
    value = JSON.parse(line) as Partial<Keyframe & Mark>;
  } catch {
    return null;
  }
  if (typeof value?.offset !== 'number' || typeof value.timeMs !== 'number') return null;
  if (typeof value.snapshot === 'string' && value.cols !== undefined && value.rows !== undefined)
    return value as Keyframe;
  return typeof value.label === 'string' && value.kind !== undefined ? (value as Mark) : null;
}
