// The console's port to the host, played by a program: what it holds is known, and what it was asked is kept.
import { GatehouseError } from '../../../src/core/error.ts';
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import type { OperatorEvent, OperatorMethod, Params, Result } from '../../../src/protocol/operator.ts';
import type { AttachHandlers, AttachStream, ConsoleClient } from '../../../src/tui/ports.ts';
import { diffText, ideaText, sampleDetail } from './sample-runs.ts';

type Answers = { [M in OperatorMethod]?: (params: Params<M>) => Result<M> | Promise<Result<M>> };

export class FakeClient implements ConsoleClient {
  readonly asked: { method: OperatorMethod; params: unknown }[] = [];
  readonly attached: { run: string; mode: string; handlers: AttachHandlers; written: Buffer[]; sizes: string[] }[] = [];
  readonly answers: Answers;
  readonly details = new Map<string, RunDetail>();
  runs: RunSummary[];
  snapshot = '\u001b[2J\u001b[Hsnapshot of the run';
  private readonly listeners = new Set<(event: OperatorEvent) => void>();
  private readonly closeListeners = new Set<() => void>();

  constructor(runs: RunSummary[], answers: Answers = {}) {
    this.runs = runs;
    this.answers = answers;
  }

  async request<M extends OperatorMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    this.asked.push({ method, params });
    const answer = this.answers[method] as ((params: Params<M>) => Result<M> | Promise<Result<M>>) | undefined;
    if (answer !== undefined) return await answer(params);
    return this.builtIn(method, params as Record<string, unknown>) as Result<M>;
  }

  emit(event: OperatorEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  /** New rows, each in the place of its run or at the end, told to the console in one event as a host does. */
  change(...changed: RunSummary[]): void {
    const rows = new Map([...this.runs, ...changed].map((run) => [run.id, run]));
    this.runs = [...rows.values()];
    this.emit({ event: 'runs.changed', changed, removed: [] });
  }

  /** As when the host is killed. */
  drop(): void {
    for (const listener of this.closeListeners) listener();
  }

  onEvent(listener: (event: OperatorEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onClose(listener: () => void): () => void {
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  attach(
    run: string,
    mode: 'write' | 'read',
    size: { cols: number; rows: number },
    handlers: AttachHandlers,
  ): Promise<AttachStream> {
    const stream = { run, mode, handlers, written: [] as Buffer[], sizes: [`${size.cols}x${size.rows}`] };
    this.attached.push(stream);
    return Promise.resolve({
      snapshot: this.snapshot,
      ...size,
      write: (bytes: Uint8Array) => void stream.written.push(Buffer.from(bytes)),
      resize: (cols: number, rows: number) => {
        stream.sizes.push(`${cols}x${rows}`);
        return Promise.resolve();
      },
      close: () => handlers.onEnd({ by: 'us' }),
    });
  }

  close(): void {}

  private builtIn(method: OperatorMethod, params: Record<string, unknown>): unknown {
    const run = this.runs.find((each) => each.id === params['run']);
    switch (method) {
      case 'runs.list':
      case 'runs.subscribe':
        return { runs: this.runs };
      case 'run.show': {
        if (run === undefined) throw new GatehouseError('run.unknown', 'no such run', 'see gatehouse ls');
        return this.details.get(run.id) ?? sampleDetail(run);
      }
      case 'run.artifact':
        return { name: params['name'], sha256: 'a'.repeat(64), text: ideaText, previous: null };
      case 'run.diff':
        return {
          from: '1'.repeat(40),
          tree: 'c'.repeat(40),
          stat: ' 2 files changed, 4 insertions(+), 1 deletion(-)',
          text: diffText,
          truncated: 0,
        };
      case 'run.watch-screen':
        setTimeout(
          () =>
            this.emit({
              event: 'screen.changed',
              run: String(params['run']),
              title: '',
              rows: ['● Bash(npm test)', '  ⎿ 12 passed', '', '> '],
            }),
          0,
        );
        return { watching: true };
      case 'run.unwatch-screen':
        return { watching: false };
      case 'run.stop':
        return { stopped: true, leftOver: [] };
      case 'run.feedback':
        return { stage: 'draft' };
      case 'run.send':
        return { submitted: true, how: 'pasted, confirmed by an event' };
      case 'run.approve':
        return { approval: { time: '2026-03-01T03:00:00.000Z' }, stage: 'implement' };
      default:
        throw new GatehouseError('internal', `the fake does not answer ${method}`, '');
    }
  }
}
