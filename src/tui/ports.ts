// What the console needs from outside; tests give a fake.
import type { ApprovalSigner } from '../client/approval-settings.ts';
import type { Client } from '../client/client.ts';
import type { RunSummary } from '../core/run.ts';
import type { Actor } from '../protocol/operator.ts';
import type { Timeline } from '../timeline/item.ts';

export type { ApprovalSigner } from '../client/approval-settings.ts';
export type { AttachHandlers, AttachStream } from '../client/client.ts';
export type { Actor } from '../protocol/operator.ts';
export type { Timeline, TimelineItem } from '../timeline/item.ts';

/** The part of the client that the console uses. */
export type ConsoleClient = Pick<Client, 'request' | 'onEvent' | 'onClose' | 'attach' | 'close'>;

export interface ConsolePorts {
  /** Finds or starts the host; called again when the connection is lost. */
  connect(signal: AbortSignal): Promise<ConsoleClient>;
  /** Who acts, for every record. */
  actor(): Promise<Actor>;
  /** Who signs approvals; null when nobody needs to. Fails when a signature is required and cannot be made. */
  signer(): Promise<ApprovalSigner | null>;
  /** What happened in a run, as its runtime's own transcripts tell it. */
  timeline(run: RunSummary): Promise<Timeline>;
}
