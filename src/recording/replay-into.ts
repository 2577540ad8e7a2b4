// Brings a screen to a point of a recording: the shared core of catching up, seeking and building the index.
import type { Screen } from '../terminal/screen.ts';
import { type CastEvent, parseSize } from './cast.ts';
import type { CastFile, Position } from './reader.ts';
import type { IndexSink, Keyframe, Mark } from './seek-index.ts';

export function applyEvent(screen: Screen, event: CastEvent): void {
  if (event.code === 'o') screen.write(event.data);
  if (event.code !== 'r') return;
  const size = parseSize(event.data);
  if (size !== null) screen.resize(size.cols, size.rows);
}

/** A screen as it was at a keyframe, or a new one at the beginning of the recording. */
export function restoreKeyframe(screen: Screen, file: CastFile, keyframe: Keyframe | null): Position {
  if (keyframe === null) {
    screen.reset(file.header.cols, file.header.rows);
    return file.start;
  }
  screen.reset(keyframe.cols, keyframe.rows);
  screen.writeNow(keyframe.snapshot);
  return { offset: keyframe.offset, timeMs: keyframe.timeMs };
}

export function markOf(event: CastEvent): Mark | null {
  if (event.code !== 'm' && event.code !== 'x') return null;
  const kind = event.code === 'm' ? 'marker' : 'exit';
  return { offset: event.end, timeMs: event.timeMs, kind, label: event.data };
}

/** `position` must be where the screen stands: to be called in the `done` of the write that ended there. */
export function keyframeOf(screen: Screen, { offset, timeMs }: Position): Keyframe {
  return { offset, timeMs, cols: screen.cols, rows: screen.rows, snapshot: screen.snapshot({ parsedOnly: true }) };
}

export interface CatchUpOptions {
  readonly file: CastFile;
  readonly screen: Screen;
  /** From where: what the screen shows now. Default: the recording's beginning, on a new screen. */
  readonly from?: Position;
  /** Up to this byte offset; default: the present end. */
  readonly to?: number;
  readonly index?: IndexSink;
  readonly signal?: AbortSignal;
}

/** Silent (nothing is answered or announced again) and in small steps: the event loop stays free. */
export async function catchUp({
  file,
  screen,
  from,
  to = file.size,
  index,
  signal,
}: CatchUpOptions): Promise<Position> {
  let position = from ?? restoreKeyframe(screen, file, null);
  await screen.flush();
  const wasLive = screen.live;
  screen.live = false;
  try {
    for (const batch of file.batches(position, to)) {
      signal?.throwIfAborted();
      for (const event of batch) {
        applyEvent(screen, event);
        position = { offset: event.end, timeMs: event.timeMs };
        const mark = markOf(event);
        if (mark !== null) index?.mark(mark);
        if (index?.isDue(position.offset) !== true) continue;
        screen.writeNow('');
        index.keyframe(keyframeOf(screen, position));
      }
      await screen.flush();
    }
  } finally {
    screen.live = wasLive;
  }
  return position;
}

/** The keyframe to start from so that `backBytes` of output are played, which fills some scrollback. */
export function keyframeBefore(keyframes: readonly Keyframe[], offset: number, backBytes = 0): Keyframe | null {
  return keyframes.findLast((keyframe) => keyframe.offset <= offset - backBytes) ?? null;
}
