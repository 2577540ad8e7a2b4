// What the real programs reported and wrote down, read by their adapters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptContext } from '../../src/runtimes/adapter.ts';
import { messageEntries } from '../../src/runtimes/opencode/transcript.ts';
import { adapterFor, defaultRuntimeConfig } from '../../src/runtimes/registry.ts';
import { activityReport } from '../../src/runtimes/report.ts';
import type { TimelineEntry } from '../../src/runtimes/timeline.ts';

const file = (runtime: string, name: string) => join(import.meta.dirname, 'fixtures', runtime, name);
const payloads = (runtime: string): unknown[] =>
  readFileSync(file(runtime, 'payloads.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const context: TranscriptContext = { runtimeSession: 's', worktree: '/w', runtimeDir: '/r', env: {} };

// A first prompt, a tool call that a person had to allow, the answer.
const expected = {
  claude: 'session-started turn-started tool-called asked tool-finished turn-ended',
  codex: 'session-started turn-started tool-called asked tool-finished turn-ended',
  omp: 'session-started turn-started tool-called asked answered tool-finished turn-ended',
  opencode: 'session-started turn-started tool-called asked answered tool-finished turn-ended',
} as const;

describe.each(['claude', 'codex', 'omp', 'opencode'] as const)('%s', (runtime) => {
  const adapter = adapterFor(defaultRuntimeConfig(runtime));
  const events = payloads(runtime).flatMap((payload) => adapter.readEvent(payload, Date.now()));

  it('C015: its reports become events in the right order', () => {
    const types = events.map((event) => event.type).filter((type) => type !== 'usage');
    expect(types.filter((type, index) => type !== types[index - 1]).join(' ')).toContain(
      expected[runtime].split(' ')[0],
    );
    let at = -1;
    for (const wanted of expected[runtime].split(' ')) {
      at = events.findIndex((event, index) => index > at && event.type === wanted);
      expect(events[at]?.type).toBe(wanted);
    }
    expect(activityReport(events)?.kind).toBe('idle');
  });

  it('C009: a permission that is asked for says what for, and blocks', () => {
    const asked = events.findIndex((event) => event.type === 'asked');
    expect(events[asked]).toMatchObject({ text: expect.stringContaining('touch x.txt') });
    expect(activityReport(events.slice(0, asked + 1))?.kind).toBe('blocked');
  });

  it('every event names its conversation, so that it can be resumed', () => {
    expect(new Set(events.map((event) => event.session)).size).toBe(1);
    expect(events[0]?.session).toMatch(/^(ses_\w+|[0-9a-f-]{36})$/);
  });

  it('a tool call names what it would write or run', () => {
    const call = events.find((event) => event.type === 'tool-called');
    expect(call).toMatchObject({ call: { command: expect.stringContaining('touch x.txt'), edits: false } });
  });

  it('its transcript becomes a timeline', async () => {
    const entries: TimelineEntry[] =
      runtime === 'opencode'
        ? messageEntries(JSON.parse(readFileSync(file(runtime, 'messages.json'), 'utf8')))
        : ((await adapter.transcript?.read(file(runtime, 'transcript.jsonl'), context)) ?? []);
    const kinds = entries.map((entry) => entry.kind);
    expect(kinds).toEqual(expect.arrayContaining(['user', 'assistant', 'tool', 'model']));
    expect(entries.find((entry) => entry.kind === 'user')?.text).toContain('please do this');
    expect(entries.find((entry) => entry.kind === 'tool')?.text).toContain('touch x.txt');
    expect(entries.some((entry) => entry.tokens?.output === 20)).toBe(true);
    expect(entries.every((entry) => entry.at === null || !Number.isNaN(Date.parse(entry.at)))).toBe(true);
  });

  it.each([null, 7, 'text', [], { type: 7 }, { hook_event_name: {} }, { type: 'tool_call', input: 'x' }])(
    'a payload it does not know is no error: %j',
    (payload) => {
      expect(() => adapter.readEvent(payload, 1)).not.toThrow();
    },
  );
});

describe('C009: a question of the agent itself', () => {
  const questions = [{ id: 'q1', question: 'Which way should it go?', options: [] }];
  const kinds = (runtime: 'omp' | 'opencode', payloads: object[]) => {
    const adapter = adapterFor(defaultRuntimeConfig(runtime));
    return payloads.map((_, index) =>
      activityReport(payloads.slice(0, index + 1).flatMap((each) => adapter.readEvent(each, 1))),
    );
  };
  it('omp', () => {
    const call = { type: 'tool_call', toolName: 'ask', input: { questions } };
    const [asked, after] = kinds('omp', [call, { type: 'tool_execution_end', toolName: 'ask', isError: false }]);
    expect(asked).toMatchObject({ kind: 'blocked', text: 'Which way should it go?' });
    expect(after?.kind).toBe('working');
  });
  it('opencode', () => {
    const call = { type: 'question.asked', properties: { sessionID: 'ses_1', questions } };
    const [asked, after] = kinds('opencode', [call, { type: 'question.replied', properties: { sessionID: 'ses_1' } }]);
    expect(asked).toMatchObject({ kind: 'blocked', text: 'Which way should it go?' });
    expect(after?.kind).toBe('working');
  });
});

describe('C024: a provider that refuses, as it was reported', () => {
  const reported = (runtime: 'claude' | 'omp' | 'opencode', payloads: object[]) =>
    activityReport(
      payloads.flatMap((payload, index) => adapterFor(defaultRuntimeConfig(runtime)).readEvent(payload, index)),
    );

  it('claude', () => {
    const turn = { hook_event_name: 'UserPromptSubmit', prompt: 'please do this' };
    const failure = (error: string, last_assistant_message: string) =>
      reported('claude', [turn, { hook_event_name: 'StopFailure', error, last_assistant_message }]);
    expect(failure('rate_limit', 'API Error: Request rejected (429) · scripted failure')).toMatchObject({
      kind: 'failed',
      trouble: { name: 'rate limit' },
    });
    expect(failure('authentication_failed', 'Not logged in · Please run /login')).toMatchObject({
      trouble: { name: 'login', text: 'Not logged in · Please run /login' },
    });
    expect(failure('server_error', 'API Error: 529 scripted failure. This is a server-side issue')).toMatchObject({
      trouble: { name: 'provider error' },
    });
  });

  it('omp ends the turn at each failure and begins it anew', () => {
    const start = [{ type: 'before_agent_start', prompt: 'please do this' }, { type: 'agent_start' }];
    const usage = { input: 0, output: 0, cacheRead: 0 };
    const errorMessage = '429 scripted failure retry-after-ms=1000\nscripted failure (type=rate_limit_error)';
    const failed = { type: 'message_end', role: 'assistant', usage, stopReason: 'error', errorMessage };
    const once = [...start, failed, { type: 'agent_end' }];
    expect(reported('omp', once)).toMatchObject({ kind: 'failed', trouble: { name: 'rate limit', since: 2 } });
    const twice = [...once, { type: 'agent_start' }, failed];
    expect(reported('omp', twice)).toMatchObject({ kind: 'working', trouble: { name: 'rate limit', since: 2 } });
    const aborted = { ...failed, stopReason: 'aborted', errorMessage: 'Request was aborted' };
    expect(reported('omp', [...start, aborted, { type: 'agent_end' }])?.kind).toBe('idle');
  });

  it('opencode', () => {
    const status = (status: object) => ({ type: 'session.status', properties: { status } });
    const failed = (name: string, data: object) => ({ type: 'session.error', properties: { error: { name, data } } });
    const retry = status({ type: 'retry', attempt: 1, message: 'Too Many Requests', next: 1 });
    const start = [{ type: 'chat.message', text: 'please do this' }, status({ type: 'busy' }), retry];
    expect(reported('opencode', start)).toMatchObject({ kind: 'working', trouble: { name: 'rate limit', since: 2 } });
    const given = [
      status({ type: 'busy' }),
      failed('APIError', { message: 'scripted failure', statusCode: 429 }),
      { type: 'session.idle' },
    ];
    const trouble = { name: 'rate limit', text: 'scripted failure' };
    expect(reported('opencode', [...start, ...given])).toMatchObject({ kind: 'failed', trouble });
    const broken = [failed('MessageAbortedError', { message: 'Aborted' }), { type: 'session.idle' }];
    expect(reported('opencode', [...start.slice(0, 2), ...broken])?.kind).toBe('idle');
  });
});

describe('refusals, in the form that each program reads', () => {
  const refused = { verdict: 'refused', reason: 'not now' } as const;
  const answer = (runtime: 'claude' | 'codex' | 'omp' | 'opencode', payload: unknown) =>
    adapterFor(defaultRuntimeConfig(runtime)).hookAnswer(refused, payload);
  it('claude and codex', () => {
    const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not now' };
    for (const runtime of ['claude', 'codex'] as const) {
      expect(answer(runtime, { hook_event_name: 'PreToolUse' })).toEqual({ hookSpecificOutput: deny });
      expect(answer(runtime, { hook_event_name: 'Stop' })).toBeNull();
    }
  });
  it('omp and opencode', () => {
    for (const runtime of ['omp', 'opencode'] as const)
      expect(answer(runtime, {})).toEqual({ block: true, reason: 'not now' });
  });
});
