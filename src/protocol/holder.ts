// What host and holder say to each other over the holder socket. Types only: the holder must stay tiny.
//
// Everything a holder sends is one ordered stream. Output frames and the events that carry `offset` follow the order
// of the recording, so a host that applies them in sequence always knows which byte of the recording it stands at.
//
// Control: `status` is answered to anybody. Any other request makes its connection the controlling one; the newest
// wins, and the one before is sent `{event:'replaced'}` and closed.
import type { ErrorBody } from '../core/error.ts';
import type { ProcessIdentity } from '../core/process-identity.ts';
import type { RecordPolicy } from '../core/record-policy.ts';
import { encodeBytes, frameKind } from './frame.ts';

/** Written by the host (0600), read once by the holder. */
export interface HolderSpec {
  readonly runId: string;
  readonly runDir: string;
  readonly holderSocket: string;
  readonly runSocket: string;
  /** Path of `session.cast`; an existing file is continued. */
  readonly recording: string;
  /** How to start a host again, and with which environment. Empty: never start one. */
  readonly hostArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file shared by the holders of one home: whoever starts a host touches it, and the others wait. */
  readonly hostStamp?: string;
  readonly cols: number;
  readonly rows: number;
  /** What of the output is recorded; default `full`. */
  readonly record?: RecordPolicy;
  /** Record what is typed as `i` events; off by default because it may hold secrets. */
  readonly recordInput?: boolean;
  /** How long a `lattice` call may wait for a host; default 10 minutes. */
  readonly relayLimitMs?: number;
  /** How long the holder does without a host before it starts one; default 2 s. */
  readonly hostAbsenceMs?: number;
}

export interface SessionExit {
  readonly code: number | null;
  /** Name of the signal, as `SIGKILL`; null for an ordinary exit. */
  readonly signal: string | null;
}

export interface SessionStatus extends ProcessIdentity {
  /** Counts the sessions of this holder, from 1. */
  readonly session: number;
  /** Value of GATEHOUSE_SESSION_ID in the environment of everything in the session. */
  readonly marker: string;
  readonly label: string;
  readonly title: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** null while it lives. */
  readonly exit: SessionExit | null;
}

export interface HolderStatus {
  readonly runId: string;
  readonly holder: ProcessIdentity;
  readonly cols: number;
  readonly rows: number;
  /** Size of the recording so far: the position of everything that happened until now. */
  readonly offset: number;
  /** Time of the last event of the recording, from its beginning. */
  readonly timeMs: number;
  readonly recording: 'recording' | 'failed';
  /** The last session that was started; null before the first. */
  readonly session: SessionStatus | null;
  /** Bytes of input that the child has not taken yet. */
  readonly inputQueued: number;
  readonly privateBytes: number;
}

export interface SpawnParams {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** Becomes a marker of the recording, as `session 2`. */
  readonly label: string;
  readonly title?: string;
}

/** A program that does not start is an expected outcome: a value, not an error. */
export type SpawnResult =
  | { readonly ok: true; readonly session: SessionStatus; readonly offset: number }
  | { readonly ok: false; readonly error: ErrorBody };

export interface LeftProcess extends ProcessIdentity {
  readonly command: string;
}

/** method -> [params, result] */
export interface HolderRequests {
  status: [Record<string, never>, HolderStatus];
  spawn: [SpawnParams, SpawnResult];
  resize: [{ readonly cols: number; readonly rows: number }, { readonly offset: number }];
  /** To every process of the live session's process group. */
  signal: [{ readonly signal: NodeJS.Signals }, { readonly delivered: boolean }];
  /** TERM, then KILL after `graceMs`, to everything that any session of this holder has started. */
  kill: [{ readonly graceMs: number }, { readonly left: readonly LeftProcess[] }];
  marker: [{ readonly label: string }, { readonly offset: number }];
  /** From here on output frames and events arrive that follow exactly `offset`. Also the way back after `lagged`. */
  subscribe: [
    Record<string, never>,
    {
      readonly offset: number;
      readonly timeMs: number;
      readonly cols: number;
      readonly rows: number;
      readonly status: HolderStatus;
    },
  ];
  /** Answers a `request` event. `body` goes to the caller as it is. */
  reply: [{ readonly key: string; readonly body: RelayBody }, { readonly delivered: boolean }];
  /** The host leaves on purpose: no other is started until one has connected again or a `lattice` call waits. */
  release: [Record<string, never>, Record<string, never>];
  /** Ends the holder: kills what lives, writes the exit, closes the sockets. Answered before it goes. */
  close: [{ readonly graceMs?: number }, { readonly left: readonly LeftProcess[] }];
}
export type HolderMethod = keyof HolderRequests;
export type HolderParams<M extends HolderMethod> = HolderRequests[M][0];
export type HolderResult<M extends HolderMethod> = HolderRequests[M][1];

/** What a caller on the run socket gets, next to its own `id`. */
export type RelayBody = { readonly result: unknown } | { readonly error: ErrorBody };

export type HolderEvent =
  | { readonly event: 'spawned'; readonly session: SessionStatus; readonly offset: number; readonly timeMs: number }
  | {
      readonly event: 'resized';
      readonly cols: number;
      readonly rows: number;
      readonly offset: number;
      readonly timeMs: number;
    }
  | { readonly event: 'marked'; readonly label: string; readonly offset: number; readonly timeMs: number }
  /** After the last byte of output. */
  | {
      readonly event: 'exited';
      readonly session: number;
      readonly exit: SessionExit;
      readonly offset: number;
      readonly timeMs: number;
    }
  /** Live output stops here because the host took too long; it reads the recording from `offset` and subscribes again. */
  | { readonly event: 'lagged'; readonly offset: number }
  /** A message from the run socket: `body` is the caller's `{method, params}`, unread. `waitedMs`: time in the queue. */
  | { readonly event: 'request'; readonly key: string; readonly body: unknown; readonly waitedMs: number }
  /** This many bytes of input were refused, whole frames only; nothing of them reached the child. */
  | { readonly event: 'input-overflow'; readonly refusedBytes: number; readonly queuedBytes: number }
  | { readonly event: 'recording-failed'; readonly code: string; readonly message: string; readonly offset: number }
  /** The recording goes on; `lostBytes` of output could not be kept meanwhile. */
  | { readonly event: 'recording-resumed'; readonly lostBytes: number; readonly offset: number }
  | { readonly event: 'replaced' };

/**
 * Payload of an output frame: `u64 BE` recording offset after it, `u64 BE` recording time (ms) after it, the raw bytes.
 * The offset stands still while the recording does, and while output is held back to be masked; a frame without bytes
 * says that only the latter was written.
 */
export interface OutputFrame {
  readonly offset: number;
  readonly timeMs: number;
  readonly bytes: Buffer;
}

const outputHeaderBytes = 16;

export function encodeOutput(output: OutputFrame): Buffer {
  const header = Buffer.allocUnsafe(outputHeaderBytes);
  header.writeBigUInt64BE(BigInt(output.offset), 0);
  header.writeBigUInt64BE(BigInt(output.timeMs), 8);
  return encodeBytes(frameKind.output, header, output.bytes);
}

export function decodeOutput(payload: Buffer): OutputFrame {
  return {
    offset: Number(payload.readBigUInt64BE(0)),
    timeMs: Number(payload.readBigUInt64BE(8)),
    bytes: payload.subarray(outputHeaderBytes),
  };
}
