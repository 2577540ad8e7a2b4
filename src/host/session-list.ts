// The sessions of a run as run.json keeps them: begun, named, ended. Pure: each gives what changes in the record.
import type { SessionExit } from '../protocol/holder.ts';
import type { LaunchRecord } from './launch-record.ts';
import type { SessionRequest } from './session-control.ts';

type Sessions = LaunchRecord['sessions'];
type Ending = NonNullable<Sessions[number]['exit']>;

export function sessionBegun(
  record: LaunchRecord,
  request: SessionRequest,
  runtimeSession: string | null,
  at: string,
): Partial<LaunchRecord> {
  const { stage, entry, kind, conversation, note, writes } = request;
  return {
    mainSession: conversation === 'review' ? record.mainSession : (runtimeSession ?? record.mainSession),
    sessions: [
      ...record.sessions.map((each) => (each.endedAt === null ? { ...each, endedAt: at, exit: lostExit } : each)),
      {
        number: record.sessions.length + 1,
        runtimeSession,
        startedAt: at,
        endedAt: null,
        exit: null,
        stage,
        entry,
        kind,
        conversation,
        ...(note === null ? {} : { note }),
        writes,
      },
    ],
  };
}

/** It ended by itself, in failure; a signal is somebody else's doing. */
export function hasFailed({ code, signal }: SessionExit): boolean {
  return signal === null && code !== null && code !== 0 && code < 128;
}

/** What was started last, in words. */
export function describeStart({ sessions }: Pick<LaunchRecord, 'sessions'>): string {
  const { number, kind, note } = sessions.at(-1) ?? {};
  return `session ${number}, ${kind}${note === undefined ? '' : `: ${note}`}`;
}

/** Nobody saw the end of a session whose holder died; at the latest it was over when the next one began. */
const lostExit: Ending = { code: null, signal: null, note: 'lost with its holder' };

/** The runtime told the id of its conversation. Null when that is known. */
export function sessionNamed(record: LaunchRecord, id: string): Partial<LaunchRecord> | null {
  const last = record.sessions.at(-1);
  if (last === undefined || last.runtimeSession === id) return null;
  return {
    sessions: [...record.sessions.slice(0, -1), { ...last, runtimeSession: id }],
    ...(last.conversation === 'main' ? { mainSession: id } : {}),
  };
}

export function sessionEnded(
  record: LaunchRecord,
  number: number,
  exit: SessionExit & Pick<Ending, 'note' | 'unheard'>,
  at: string,
): Partial<LaunchRecord> {
  return { sessions: record.sessions.map((each) => (each.number === number ? { ...each, endedAt: at, exit } : each)) };
}
