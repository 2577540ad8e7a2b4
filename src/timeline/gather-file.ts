// The timeline of a file: a recording shows its markers, a transcript is read by whichever runtime wrote it.
import { statSync } from 'node:fs';
import { runtimeNames } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import type { Timeline, TimelineItem } from './item.ts';
import { readMarkers } from './markers.ts';

export async function gatherFile(path: string): Promise<Timeline> {
  // A folder cannot be read, and a pipe or a device might never end.
  if (!statSync(path).isFile()) throw unreadable(`${path} is not a file`);
  const markers = await markersOf(path);
  if (markers !== null) {
    return { of: path, source: 'recording', notes: ['a recording alone: its markers'], items: markers };
  }
  const items = await readAsTranscript(path);
  if (items.length > 0) return { of: path, source: 'transcript', notes: [], items };
  throw unreadable(`${path} is neither a recording nor a transcript that a runtime knows`);
}

async function markersOf(path: string): Promise<TimelineItem[] | null> {
  try {
    return await readMarkers(path);
  } catch (cause) {
    throw unreadable(`${path} cannot be read: ${(cause as Error).message}`, cause);
  }
}

/** Every adapter tries; formats differ enough that the wrong ones understand nothing or little. */
async function readAsTranscript(path: string): Promise<TimelineItem[]> {
  const { adapterFor, defaultRuntimeConfig } = await import('../runtimes/registry.ts');
  const context = { runtimeSession: '', worktree: '', runtimeDir: '', env: process.env };
  let best: TimelineItem[] = [];
  for (const name of runtimeNames) {
    try {
      const items = (await adapterFor(defaultRuntimeConfig(name)).transcript?.read(path, context)) ?? [];
      if (items.length > best.length) best = items;
    } catch {
      // Not this one's format.
    }
  }
  return best;
}

function unreadable(message: string, cause?: unknown): GatehouseError {
  const hint = 'name a run, a recording (.cast), or the transcript of an agent program';
  return new GatehouseError('file.unreadable', message, hint, { cause });
}
