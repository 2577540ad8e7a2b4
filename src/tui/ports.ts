// What the console needs from outside: the operator's connection and an attach stream. `src/client` fits it; tests give a fake.
import type { ApprovalSigner } from '../client/approval-settings.ts';
import type { RunSummary } from '../core/run.ts';
import type { Actor, OperatorEvent, OperatorMethod, Params, Result } from '../protocol/operator.ts';
import type { Timeline } from '../timeline/item.ts';

export type { ApprovalSigner } from '../client/approval-settings.ts';
export type { Actor } from '../protocol/operator.ts';
export type { Timeline, TimelineItem } from '../timeline/item.ts';

export interface AttachPort {
  /** Escape text that paints the present screen. */
  readonly snapshot: string;
  readonly cols: number;
  readonly rows: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): Promise<void>;
  close(): void;
}

export interface AttachHandlers {
  readonly onOutput: (bytes: Buffer) => void;
  readonly onEvent: (event: OperatorEvent) => void;
  /** `reason` is null when this side closed it. */
  readonly onEnd: (reason: string | null) => void;
}

export interface ConsoleClient {
  request<M extends OperatorMethod>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Gives the function that ends it. */
  onEvent(listener: (event: OperatorEvent) => void): () => void;
  onClose(listener: () => void): () => void;
  attach(
    run: string,
    mode: 'write' | 'read',
    size: { cols: number; rows: number },
    handlers: AttachHandlers,
  ): Promise<AttachPort>;
  close(): void;
}

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
