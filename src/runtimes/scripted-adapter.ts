// The embedded agent program, driven as any other: started with arguments, reports through `lattice hook scripted`.
//
// Contract with src/runtimes/scripted: `main --session ID [--resume] --scenario FILE [PROMPT]`; it prints bracketed
// paste on when it is ready; each report is one JSON object `{type, ...}` in the vocabulary of event.ts.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LaunchContext, LaunchPlan, RuntimeAdapter, TranscriptReader } from './adapter.ts';
import { listDialog } from './choice-list.ts';
import type { RuntimeEvent } from './event.ts';
import { readEnvelope, record, summarize, told } from './payload.ts';
import type { Dialog, Draft, ScreenView, TitleHint } from './screen-view.ts';
import { defaultRecipe } from './submit.ts';
import { type TimelineEntry, timelineKinds } from './timeline.ts';

const mainFile = fileURLToPath(
  new URL(`./scripted/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export const scriptedAdapter: RuntimeAdapter = {
  name: 'scripted',
  reports: true,
  resumable: true,
  provedVersion: null,
  probe: () => Promise.resolve({ ok: true, program: process.execPath, version: process.versions.node }),
  launch,
  readEvent,
  hookAnswer: (decision) =>
    decision.verdict === 'refused' ? { decision: 'deny', reason: decision.reason } : { decision: 'allow' },
  titleHint,
  dialog,
  trouble: () => null,
  composer,
  ready: { kind: 'bracketed-paste' },
  submit: defaultRecipe,
  interrupt: ['\u001b'],
  exit: ['\u0003', '\u0003'],
  transcript: { locate, read } satisfies TranscriptReader,
};

function launch(context: LaunchContext): LaunchPlan {
  const resumes = context.kind === 'resumed' && context.runtimeSession !== null;
  const session = resumes ? (context.runtimeSession ?? '') : randomUUID();
  const scenario = join(context.runtimeDir, 'scenario.json');
  return {
    argv: [
      process.execPath,
      context.config.program ?? mainFile,
      '--session',
      session,
      ...(resumes ? ['--resume'] : []),
      '--scenario',
      scenario,
      ...context.config.args,
      ...(context.prompt === null ? [] : [context.prompt]),
    ],
    env: { ...context.config.env, GATEHOUSE_RUNTIME_DIR: join(context.runtimeDir, 'scripted') },
    files: [{ path: scenario, text: `${JSON.stringify(context.scenario ?? {})}\n` }],
    writable: [{ path: join(context.runtimeDir, 'scripted'), create: 'folder' }],
    stores: [],
    copied: [],
    sessionIdKnown: session,
    promptIncluded: context.prompt !== null,
  };
}

const count = z.number().nonnegative().catch(0);
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);
const base = { session: optionalText };
const reportSchema = z.discriminatedUnion('type', [
  z.object({
    ...base,
    type: z.literal('session-started'),
    source: z.string().catch('start'),
    transcript: optionalText,
  }),
  z.object({ ...base, type: z.literal('turn-started'), prompt: optionalText }),
  z.object({ ...base, type: z.literal('tool-called'), name: z.string(), input: record }),
  z.object({ ...base, type: z.literal('tool-finished'), name: z.string().catch(''), failed: z.boolean().catch(false) }),
  z.object({ ...base, type: z.literal('asked'), text: z.string() }),
  z.object({ ...base, type: z.literal('answered') }),
  z.object({
    ...base,
    type: z.literal('turn-ended'),
    lastMessage: optionalText,
    interrupted: z.boolean().catch(false),
  }),
  z.object({
    ...base,
    type: z.literal('usage'),
    usage: z.object({
      inputTokens: count,
      outputTokens: count,
      cachedTokens: count,
      contextShare: z.number().nullable().catch(null),
    }),
  }),
  z.object({ ...base, type: z.literal('error'), text: z.string(), status: z.number().nullable().catch(null) }),
  z.object({ ...base, type: z.literal('session-ended'), reason: z.string().catch('') }),
]);

function readEvent(payload: unknown, receivedAt: number): RuntimeEvent[] {
  const parsed = reportSchema.safeParse(payload);
  if (!parsed.success) return [];
  const { session, ...body } = parsed.data;
  const envelope = readEnvelope(payload, receivedAt);
  if (body.type !== 'tool-called') return [told(body, envelope, session)];
  const paths = ['path', 'file'].map((key) => body.input[key]).filter((path) => typeof path === 'string');
  const command = typeof body.input.command === 'string' ? body.input.command : null;
  const call = { name: body.name, paths, command, edits: /edit|write/i.test(body.name) };
  return [told({ type: 'tool-called', name: body.name, summary: summarize(body.input), call }, envelope, session)];
}

function titleHint(title: string): TitleHint {
  if (/^[⠀-⣿] /u.test(title)) return 'working';
  if (title.startsWith('! ')) return 'blocked';
  return title.startsWith('· ') ? 'idle' : null;
}

function dialog(screen: ScreenView): Dialog | null {
  if (composer(screen).state !== 'none') return null;
  return listDialog(screen.rows, [{ name: 'permission', pattern: /^Allow tool/m }]);
}

/** The composer is the last row that starts with its prompt, between two rules. */
function composer(screen: ScreenView): Draft {
  const row = screen.rows.findLastIndex((line) => /^[│ ]*› ?/u.test(line));
  if (row === -1 || /^[│ ]*› ?\d+\./u.test(screen.rows[row] ?? '')) return { state: 'none' };
  const line = screen.rows[row] ?? '';
  const text = line.replace(/^[│ ]*› ?/u, '').replace(/[│ ]+$/u, '');
  const hint = screen.isFaint?.(row, line.indexOf('›') + 2) ?? false;
  return text === '' || hint ? { state: 'empty' } : { state: 'draft', text };
}

async function locate(context: { runtimeDir: string; runtimeSession: string }): Promise<string | null> {
  const path = join(context.runtimeDir, 'scripted', `${context.runtimeSession}.jsonl`);
  return existsSync(path) ? path : null;
}

const lineSchema = z.object({
  at: z.string().nullable().catch(null),
  kind: z.enum(timelineKinds),
  text: z.string().catch(''),
  tool: z.string().optional().catch(undefined),
  failed: z.boolean().optional().catch(undefined),
});

async function read(path: string): Promise<TimelineEntry[]> {
  return (await readFile(path, 'utf8')).split('\n').flatMap((line) => {
    try {
      const { tool, failed, ...entry } = lineSchema.parse(JSON.parse(line));
      return [{ ...entry, ...(tool === undefined ? {} : { tool }), ...(failed === undefined ? {} : { failed }) }];
    } catch {
      return [];
    }
  });
}
