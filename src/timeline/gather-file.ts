// The timeline of a file: a recording shows its markers, a transcript is read by whichever runtime wrote it.
import { runtimeNames } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import type { Timeline, TimelineItem } from './item.ts';
import { readMarkers } from './markers.ts';

export async function gatherFile(path: string): Promise<Timeline> {
  const markers = await readMarkers(path);
  if (markers !== null) {
    return { of: path, source: 'recording', notes: ['a recording alone: its markers'], items: markers };
  }
  const items = await readAsTranscript(path);
  if (items.length > 0) return { of: path, source: 'transcript', notes: [], items };
  throw new GatehouseError(
    'file.unreadable',
    `${path} is neither a recording nor a transcript that a runtime knows`,
    'name a run, a recording (.cast), or the transcript of an agent program',
  );
}

/** Every adapter tries; formats differ enough that the wrong ones understand nothing or little. */
async function readAsTranscript(path: string): Promise<TimelineItem[]> {
  const { adapterFor, defaultRuntimeConfig } = await import('../runtimes/registry.ts');
  const context = { runtimeSession: '', worktree: '', runtimeDir: '', env: process.env };
  let best: TimelineItem[] = [];
  for (const name of runtimeNames) {
    try {
      const items = await adapterFor(defaultRuntimeConfig(name)).transcript.read(path, context);
      if (items.length > best.length) best = items;
    } catch {
      // Not this one's format.
    }
  }
  return best;
}
