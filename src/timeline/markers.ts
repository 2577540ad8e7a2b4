// Markers of a recording: where sessions began and ended, stages, gates. Reads line by line: recordings grow large.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseEvent, parseHeader } from '../recording/cast.ts';
import type { TimelineItem } from './item.ts';

// Only the time of most lines counts, so most are not parsed as JSON.
const eventStart = /^\[\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*,\s*"([a-z])"/i;

/** Null when the file is no recording. */
export async function readMarkers(path: string): Promise<TimelineItem[] | null> {
  const input = createReadStream(path, 'utf8');
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const items: TimelineItem[] = [];
  let header: ReturnType<typeof parseHeader> = null;
  let seconds = 0;
  try {
    for await (const line of lines) {
      if (header === null) {
        header = parseHeader(line);
        if (header === null) return null;
        continue;
      }
      const start = eventStart.exec(line);
      if (start === null) continue;
      seconds = header.version === 3 ? seconds + Number(start[1]) : Number(start[1]);
      if (start[2] !== 'm' && start[2] !== 'x') continue;
      const event = parseEvent(line);
      if (event === null) continue;
      const text = event.code === 'x' ? `exit ${event.data}` : event.data;
      items.push({ at: timeOf(header.timestamp, seconds), kind: 'marker', text });
    }
  } finally {
    lines.close();
    input.destroy();
  }
  return header === null ? null : items;
}

/** Without a start time in the header, time counts from 1970: the clock then shows the time within the recording. */
function timeOf(timestamp: number | null, seconds: number): string {
  return new Date(((timestamp ?? 0) + seconds) * 1000).toISOString();
}
