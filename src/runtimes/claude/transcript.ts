// Claude Code's conversation file: one JSON object a line, one line per content block.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptContext, TranscriptReader } from '../adapter.ts';
import { type Json, listAt, numberAt, objectAt, readJsonLines, textAt } from '../json-lines.ts';
import { summarize } from '../payload.ts';
import type { TimelineEntry } from '../timeline.ts';

export const claudeTranscript: TranscriptReader = {
  locate: (context) => Promise.resolve(locate(context)),
  read: async (path) => entriesOf(await readJsonLines(path)),
};

export function projectName(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9]/g, '-');
}

function locate({ runtimeSession, worktree, env }: TranscriptContext): string | null {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/root', '.claude'), 'projects');
  const name = `${runtimeSession}.jsonl`;
  const expected = join(projects, projectName(worktree), name);
  if (existsSync(expected)) return expected;
  // A worktree behind a symbolic link has another name there.
  try {
    const folder = readdirSync(projects).find((each) => existsSync(join(projects, each, name)));
    return folder === undefined ? null : join(projects, folder, name);
  } catch {
    return null;
  }
}

function entriesOf(lines: readonly Json[]): TimelineEntry[] {
  const counted = new Set<string>();
  return lines.filter((line) => line.isSidechain !== true).flatMap((line) => entriesOfLine(line, counted));
}

function entriesOfLine(line: Json, counted: Set<string>): TimelineEntry[] {
  const at = textAt(line, 'timestamp');
  if (line.type === 'user') return userEntries(line, at);
  if (line.type === 'assistant') return assistantEntries(line, at, counted);
  if (line.type === 'system' && line.subtype === 'compact_boundary')
    return [
      { at, kind: 'compaction', text: `compacted from ${numberAt(line, 'compactMetadata', 'preTokens')} tokens` },
    ];
  if (line.type === 'system' && line.subtype === 'api_error')
    return [{ at, kind: 'error', text: textAt(line, 'error', 'message') ?? 'the model request failed' }];
  if (line.type === 'attachment' && textAt(line, 'attachment', 'type') === 'model') {
    const model = textAt(line, 'attachment', 'identity', 'modelId');
    return model === null ? [] : [{ at, kind: 'model', text: model }];
  }
  if (line.type === 'attachment' && textAt(line, 'attachment', 'type') === 'queued_command') {
    const prompt = textAt(line, 'attachment', 'prompt');
    return prompt === null ? [] : [{ at, kind: 'user', text: prompt }];
  }
  return [];
}

function userEntries(line: Json, at: string | null): TimelineEntry[] {
  if (line.isMeta === true) return [];
  const content = textAt(line, 'message', 'content');
  if (content !== null) return [{ at, kind: 'user', text: content }];
  return listAt(line, 'message', 'content').flatMap((block): TimelineEntry[] => {
    if (block.type === 'text') return [{ at, kind: 'user', text: textAt(block, 'text') ?? '' }];
    if (block.type !== 'tool_result') return [];
    return [{ at, kind: 'tool-result', text: resultText(block.content), failed: block.is_error === true }];
  });
}

function assistantEntries(line: Json, at: string | null, counted: Set<string>): TimelineEntry[] {
  const id = textAt(line, 'message', 'id') ?? '';
  const usage = objectAt(line, 'message', 'usage');
  const tokens = counted.has(id)
    ? undefined
    : {
        input: numberAt(usage, 'input_tokens') + numberAt(usage, 'cache_creation_input_tokens'),
        output: numberAt(usage, 'output_tokens'),
        cached: numberAt(usage, 'cache_read_input_tokens'),
      };
  const entries = listAt(line, 'message', 'content').flatMap((block): TimelineEntry[] => {
    const failed = line.isApiErrorMessage === true;
    if (block.type === 'text') return [{ at, kind: failed ? 'error' : 'assistant', text: textAt(block, 'text') ?? '' }];
    if (block.type !== 'tool_use') return [];
    return [{ at, kind: 'tool', tool: textAt(block, 'name') ?? '', text: summarize(objectAt(block, 'input')) }];
  });
  const [first, ...rest] = entries;
  if (first === undefined) return [];
  counted.add(id);
  return [tokens === undefined ? first : { ...first, tokens }, ...rest];
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listAt({ content }, 'content')
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n');
}
