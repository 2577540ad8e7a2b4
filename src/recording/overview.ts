// How long a recording is and where its marks are, without playing it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseEvent } from './cast.ts';
import { type LineHead, walkLines } from './lines.ts';
import { type CastFile, type Position, toMs } from './reader.ts';
import type { Mark, SeekIndex } from './seek-index.ts';

const blockBytes = 1024 * 1024;

export interface Overview {
  readonly end: Position;
  readonly marks: readonly Mark[];
}

/** Walks over what the index does not cover yet. */
export async function surveyRecording(file: CastFile, index: SeekIndex): Promise<Overview> {
  const known = index.keyframes.at(-1) ?? file.start;
  const marks = index.marks.filter((mark) => mark.offset <= known.offset);
  let { offset, timeMs } = known;
  const visit = (line: LineHead): void => {
    offset = line.end;
    if (line.code === '') return;
    timeMs = file.header.version === 3 ? timeMs + toMs(line.seconds) : toMs(line.seconds);
    if (line.code !== 'm' && line.code !== 'x') return;
    const label = parseEvent(line.text())?.data ?? '';
    marks.push({ offset, timeMs, kind: line.code === 'm' ? 'marker' : 'exit', label });
  };
  for (const _ of walkLines({ fd: file.fd, from: known.offset, blockBytes, visit })) await nextTurn();
  return { end: { offset, timeMs }, marks };
}
