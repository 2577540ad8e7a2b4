// The timeline of a run: the transcripts of its conversations, with the workflow's transitions in between.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { type RuntimeConfig, runtimeNameSchema } from '../core/config.ts';
import { GatehouseError, toErrorBody } from '../core/error.ts';
import { maskStrings } from '../core/secrets.ts';
import { readTextIfThere } from '../platform/atomic-file.ts';
import { loadConfig } from '../platform/load-config.ts';
import { type HomePaths, type RunPaths, homePaths } from '../platform/paths.ts';
import { type Timeline, type TimelineItem, inOrder } from './item.ts';
import { readMarkers } from './markers.ts';

// What is needed of run.json and state.json; a run of another version shows what it has.
const launchSchema = z.object({
  runtime: runtimeNameSchema,
  runtimeEntry: z.string().nullable().catch(null),
  sessions: z.array(z.object({ number: z.number(), runtimeSession: z.string().nullable() })).catch([]),
});
const stateSchema = z.object({
  state: z.object({
    history: z.array(
      z.object({
        from: z.string().nullable(),
        to: z.string(),
        reason: z.string(),
        time: z.string(),
        actor: z.string(),
      }),
    ),
  }),
});

/** By the folder of the run, `runs/ID` in the home of its host; what looks like a secret is masked. */
export async function gatherRunAt(dir: string): Promise<Timeline> {
  return maskStrings(await gatherRun(homePaths(dirname(dirname(dir))), basename(dir)));
}

export async function gatherRun(paths: HomePaths, run: string): Promise<Timeline> {
  const place = paths.run(run);
  const launch = launchSchema.safeParse(await readJson(place.launch));
  if (!launch.success) {
    throw new GatehouseError(
      'file.unreadable',
      `${place.launch} is not the record of a run`,
      'gatehouse ls lists the runs',
    );
  }
  const history = await transitions(place.state);
  const { items, notes } = await transcripts(paths, place, launch.data);
  if (items.length > 0) return { of: run, source: 'transcript', notes, items: inOrder([history, items]) };
  const markers = existsSync(place.recording) ? ((await readMarkers(place.recording)) ?? []) : [];
  return {
    of: run,
    source: 'recording',
    notes: [...notes, 'no transcript of the runtime: markers of the recording and the history of the workflow'],
    items: inOrder([history, markers]),
  };
}

async function transcripts(
  paths: HomePaths,
  place: RunPaths,
  launch: z.infer<typeof launchSchema>,
): Promise<{ items: TimelineItem[]; notes: string[] }> {
  const { adapterFor, defaultRuntimeConfig } = await import('../runtimes/registry.ts');
  const config: RuntimeConfig =
    (launch.runtimeEntry === null ? undefined : (await loadConfig(paths.config)).runtimes[launch.runtimeEntry]) ??
    defaultRuntimeConfig(launch.runtime);
  const { transcript } = adapterFor(config);
  if (transcript === null) return { items: [], notes: [] };
  const lists: TimelineItem[][] = [];
  const notes: string[] = [];
  // A conversation that was resumed appears in several sessions and has one transcript.
  const seen = new Set<string>();
  for (const { number, runtimeSession } of launch.sessions) {
    if (runtimeSession === null || seen.has(runtimeSession)) continue;
    seen.add(runtimeSession);
    const context = {
      runtimeSession,
      worktree: place.worktree,
      runtimeDir: place.runtime,
      env: { ...process.env, ...config.env },
    };
    try {
      const path = await transcript.locate(context);
      if (path === null) notes.push(`session ${number} has no transcript`);
      else lists.push((await transcript.read(path, context)).map((entry) => ({ ...entry, session: number })));
    } catch (error) {
      notes.push(`the transcript of session ${number} cannot be read: ${toErrorBody(error).message}`);
    }
  }
  return { items: inOrder(lists), notes };
}

async function transitions(path: string): Promise<TimelineItem[]> {
  const parsed = stateSchema.safeParse(await readJson(path));
  if (!parsed.success) return [];
  return parsed.data.state.history.map(({ from, to, reason, time, actor }) => ({
    at: time,
    kind: 'stage',
    text: `${from ?? 'start'} -> ${to} (${actor}): ${reason}`,
  }));
}

async function readJson(path: string): Promise<unknown> {
  const text = await readTextIfThere(path);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
