// What a run is doing, and why we believe it. Evidence is weighed in a fixed order; none means `unknown`.
import type { Stage } from './stage.ts';

export const activities = ['starting', 'working', 'idle', 'blocked', 'exited', 'lost', 'unknown'] as const;
export type Activity = (typeof activities)[number];

/** The last thing the runtime itself reported (hooks, extension, server events). */
export interface RuntimeReport {
  /** `failed`: the turn is over, and not because it was done. */
  readonly kind: 'working' | 'idle' | 'blocked' | 'ended' | 'failed';
  /** For `blocked`: the dialog's text. For `ended`: the reason. */
  readonly text: string;
  /** Model requests have failed since this time, and none has succeeded. */
  readonly trouble?: { readonly name: string; readonly text: string; readonly since: number };
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface ActivityEvidence {
  readonly stage: Stage;
  readonly holder: 'alive' | 'dead' | 'unreachable';
  readonly session:
    | { readonly status: 'none' }
    | { readonly status: 'alive'; readonly startedAt: number; readonly ready: boolean }
    | {
        readonly status: 'exited';
        readonly code: number | null;
        readonly signal: string | null;
        readonly note: string | null;
        /** It failed before it had reported anything; what it printed last then tells most. */
        readonly unheard: boolean;
      };
  readonly report: RuntimeReport | null;
  /** Does this runtime have a reporter that should have spoken by now. */
  readonly reporterExpected: boolean;
  /** A named dialog on the screen (trust, login, update, rate limit, permission) with its text. */
  readonly dialog: { readonly name: string; readonly text: string; readonly choices: number } | null;
  /** A failed model request, told by the program in a place where only it writes. */
  readonly trouble: { readonly name: string; readonly text: string; readonly goesOn: boolean } | null;
  /** The process tree used CPU since the last look. */
  readonly cpuBusy: boolean | null;
  /** What the title says, by the adapter's own rules; screen prose never decides. */
  readonly titleHint: 'working' | 'idle' | 'blocked' | null;
  readonly lastOutputAt: number | null;
  /** What stands last on the screen: said when a start fails. */
  readonly lastLine?: string;
  /** Which dialog its words are like, should the start fail. */
  readonly looksLike?: string | null;
  readonly startDeadlineMs?: number;
  readonly now: number;
}

/** How a person ends a `blocked`: with one of the choices that are known, at the session itself, or by a message. */
export type Unblock = 'answer' | 'attach' | 'message';

export interface ActivityVerdict {
  readonly activity: Activity;
  readonly reason: string;
  readonly unblock?: Unblock;
  /** Which kind of evidence decided. */
  readonly source: 'process' | 'event' | 'screen' | 'none';
}

/** A session that has shown no sign of being ready after this long has failed to start, unless configured otherwise. */
export const startDeadlineMs = 60_000;
/** A program that tries again and again, and fails for so long, gets nowhere without a person. */
export const troublePatienceMs = 60_000;
/** A reporter that was expected and silent for this long is named. */
export const reporterDeadlineMs = 10_000;

export function judgeActivity(e: ActivityEvidence): ActivityVerdict {
  if (e.holder === 'dead' && e.stage === 'ready-for-testing')
    return by('process', 'exited', 'the run has ended; nothing of it is alive');
  if (e.holder === 'dead')
    return by('process', 'lost', 'the holder of this run died; the state of the agent is unknown');
  if (e.session.status === 'none')
    return by('process', e.stage === 'ready-for-testing' ? 'exited' : 'starting', 'no session was started yet');
  if (e.session.status === 'exited') {
    const before = e.session.unheard ? ` before it reported anything${screenEnd(e.lastLine)}` : '';
    return by('process', 'exited', exitReason(e.session) + before);
  }
  if (e.holder === 'unreachable') return by('none', 'unknown', 'the holder does not answer at the moment');
  if (e.dialog !== null)
    return blocked('screen', e.dialog.choices > 0 ? 'answer' : 'attach', `${e.dialog.name}: ${e.dialog.text}`);
  const trouble = byTrouble(e);
  if (trouble !== null) return trouble;
  if (e.report !== null) return byReport(e, e.report);
  return withoutReport(e, e.session);
}

function byTrouble({ report, trouble, now }: ActivityEvidence): ActivityVerdict | null {
  const told = report?.trouble;
  if (report?.kind === 'blocked') return null;
  if (told !== undefined && report?.kind === 'failed') return blocked('event', 'message', `${told.name}: ${told.text}`);
  if (told !== undefined)
    return now - told.since > troublePatienceMs
      ? blocked('event', 'attach', triesAgain(told))
      : by('event', 'working', triesAgain(told));
  if (trouble === null) return null;
  return trouble.goesOn
    ? by('screen', 'working', triesAgain(trouble))
    : blocked('screen', 'message', `${trouble.name}: ${trouble.text}`);
}

function triesAgain({ name, text }: { name: string; text: string }): string {
  return `${name}, it tries again by itself: ${text}`;
}

function byReport(e: ActivityEvidence, report: RuntimeReport): ActivityVerdict {
  const ago = when(e.now - report.at);
  switch (report.kind) {
    case 'blocked':
      return blocked('event', 'attach', `the runtime asks: ${report.text}`);
    case 'working':
      // Some runtimes report no interrupt; their title then says idle while their last event says working.
      if (e.titleHint === 'blocked' && e.now - report.at > 3_000)
        return blocked('screen', 'attach', `the title shows that it asks, after the last event (${ago})`);
      if (e.titleHint === 'idle' && e.now - report.at > 3_000)
        return by('screen', 'idle', `the title shows idle after the last event (${ago})`);
      return by('event', 'working', `the runtime reported work ${ago}`);
    case 'idle':
      // Hooks are programs of their own and may arrive out of order; a title that goes on saying so is right.
      if (e.titleHint === 'working' && e.now - report.at > 3_000)
        return by('screen', 'working', `the title shows work after the last event (${ago})`);
      return by('event', 'idle', `the runtime ended its turn ${ago}`);
    case 'ended':
      return by('event', 'idle', `the runtime ended its session: ${report.text}`);
    case 'failed':
      return blocked('event', 'message', `the turn failed: ${report.text}`);
  }
}

function withoutReport(e: ActivityEvidence, session: { startedAt: number; ready: boolean }): ActivityVerdict {
  const runningMs = e.now - session.startedAt;
  if (e.titleHint !== null) return by('screen', e.titleHint, 'the title says so; no event from the runtime');
  if (!session.ready && runningMs <= (e.startDeadlineMs ?? startDeadlineMs))
    return by('process', 'starting', `started ${age(runningMs)} ago, not ready yet`);
  if (!session.ready) {
    const failed = `not ready after ${age(runningMs)}`;
    if (e.looksLike)
      return blocked('process', 'attach', `${e.looksLike} (it looks like it): ${e.lastLine ?? ''}; ${failed}`);
    return by('process', 'unknown', `start failed: ${failed}${screenEnd(e.lastLine)}`);
  }
  if (e.cpuBusy === true) return by('process', 'working', 'no event, but its processes use the CPU');
  if (e.reporterExpected && runningMs > reporterDeadlineMs)
    return by('none', 'unknown', `no reporter: no event from the runtime for ${age(runningMs)}`);
  const silentMs = e.now - (e.lastOutputAt ?? session.startedAt);
  return by('none', 'unknown', `no evidence for ${age(silentMs)}`);
}

function screenEnd(lastLine: string | undefined): string {
  return lastLine ? `; its screen ends with: ${lastLine}` : '; its screen is empty';
}

/** A program below another one (a shell, the sandbox) that a signal ended comes out as an exit code of that one. */
const signalsByCode: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  134: 'SIGABRT',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

function exitReason(exit: { code: number | null; signal: string | null; note: string | null }): string {
  const how = exit.signal === null ? `exit code ${exitCode(exit.code)}` : `killed by ${exit.signal}`;
  return exit.note === null ? how : `${exit.note} (${how})`;
}

function exitCode(code: number | null): string {
  const signal = signalsByCode[code ?? 0];
  return signal === undefined ? String(code ?? '?') : `${code}, as after ${signal}`;
}

function blocked(source: ActivityVerdict['source'], unblock: Unblock, reason: string): ActivityVerdict {
  return { source, activity: 'blocked', reason, unblock };
}

function by(source: ActivityVerdict['source'], activity: Activity, reason: string): ActivityVerdict {
  return { source, activity, reason };
}

/** In minutes at the finest: a reason that changes every second would keep every console busy with it. */
function when(ms: number): string {
  return ms < 60_000 ? 'just now' : `${age(ms)} ago`;
}

/** 5s, 3m, 2h, 4d: how long ago, short enough for a grid. */
export function age(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m`;
  if (s < 48 * 3600) return `${Math.floor(s / 3600)}h`;
  return `${Math.floor(s / 86400)}d`;
}
