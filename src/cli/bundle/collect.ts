// Which files of a run belong into its bundle. An agent can write some of these folders: links are not followed.
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RunPaths } from '../../platform/paths.ts';

/** As the engine: a file of the agent's with a hole of gigabytes in it would be written out in full. */
const maxAgentBytes = 32 * 1024 * 1024;

export interface Collected {
  /** Below the run's folder, with `/`; sorted. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** state.json and journal.jsonl are not among them: they are read together, see read-state.ts. */
export async function collect(place: RunPaths): Promise<Collected> {
  const files: string[] = [];
  const notes: string[] = [];
  const isAgents = (path: string) => [place.artifacts, place.evidence].some((folder) => path.startsWith(`${folder}/`));
  const take = async (path: string): Promise<void> => {
    const name = relative(place.dir, path);
    const found = await lstat(path).catch(() => null);
    if (found === null) notes.push(`${name} is not there`);
    else if (found.isDirectory()) for (const inside of (await readdir(path)).toSorted()) await take(join(path, inside));
    else if (found.isFile() && isAgents(path) && found.size > maxAgentBytes)
      notes.push(`${name} is larger than the engine takes in; left out`);
    else if (found.isFile()) files.push(name);
    else notes.push(`${name} is not a plain file; left out`);
  };
  for (const path of [place.launch, place.artifacts, place.evidence, place.versions, place.recording, place.index])
    await take(path);
  return { files: files.toSorted(), notes };
}
