// What the run view has fetched about its run, kept until the host says that the run has changed.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import type { ArtifactText, RunDiff } from '../../protocol/operator.ts';
import { failureText } from '../prompt/failure.ts';
import type { Timeline } from '../ports.ts';
import type { Desk } from '../screen.ts';

/** `undefined`: not fetched yet. */
type Fetched<T> = { readonly value: T } | { readonly failure: string } | undefined;

export class RunData {
  readonly id: string;
  private readonly desk: Desk;
  private readonly first: RunSummary;
  private readonly onChange: () => void;
  private seen: RunSummary | undefined;
  private reading = false;
  private again = false;
  private readonly texts = new Map<string, Fetched<ArtifactText>>();
  private diffFetched: { key: string; diff: Fetched<RunDiff> } | null = null;
  private timelineFetched: { key: string; timeline: Fetched<Timeline> } | null = null;
  private readonly unsubscribe: () => void;
  detail: RunDetail | null = null;
  failure: string | null = null;

  constructor(desk: Desk, run: RunSummary, onChange: () => void) {
    this.desk = desk;
    this.id = run.id;
    this.first = run;
    this.onChange = onChange;
    this.unsubscribe = desk.feed.onChange(() => {
      if (desk.feed.get(this.id) !== this.seen) this.refresh();
    });
    this.refresh();
  }

  close(): void {
    this.unsubscribe();
  }

  /** The row as the host sent it last. */
  get run(): RunSummary {
    return this.desk.feed.get(this.id) ?? this.first;
  }

  artifact(name: string): Fetched<ArtifactText> {
    const info = this.detail?.artifacts.find((each) => each.name === name);
    const key = `${name} ${info?.sha256 ?? ''}`;
    if (!this.texts.has(key)) {
      this.texts.set(key, undefined);
      this.fetch(this.desk.request('run.artifact', { run: this.id, name }), (fetched) => this.texts.set(key, fetched));
    }
    return this.texts.get(key);
  }

  diff(): Fetched<RunDiff> {
    const row = this.run;
    const key = `${row.stage} ${row.since} ${this.detail?.gate?.subject.tree ?? ''}`;
    if (this.diffFetched?.key !== key) {
      const slot: { key: string; diff: Fetched<RunDiff> } = { key, diff: this.diffFetched?.diff };
      this.diffFetched = slot;
      this.fetch(this.desk.request('run.diff', { run: this.id }), (fetched) => {
        slot.diff = fetched;
      });
    }
    return this.diffFetched.diff;
  }

  /** Read anew when the run has moved on; until then what was read before stays. */
  timeline(): Fetched<Timeline> {
    const row = this.run;
    const key = `${row.stage} ${row.since} ${row.activity}`;
    if (this.timelineFetched?.key !== key) {
      const slot: { key: string; timeline: Fetched<Timeline> } = { key, timeline: this.timelineFetched?.timeline };
      this.timelineFetched = slot;
      this.fetch(this.desk.timeline(row), (fetched) => {
        slot.timeline = fetched;
      });
    }
    return this.timelineFetched.timeline;
  }

  private fetch<T>(request: Promise<T>, keep: (fetched: Fetched<T>) => void): void {
    request
      .then((value) => keep({ value }))
      .catch((error: unknown) => keep({ failure: failureText(error) }))
      .finally(() => this.onChange());
  }

  private refresh(): void {
    this.seen = this.desk.feed.get(this.id);
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    void this.read();
  }

  private async read(): Promise<void> {
    try {
      this.detail = await this.desk.request('run.show', { run: this.id });
      this.failure = null;
    } catch (error) {
      this.failure = failureText(error);
    }
    this.reading = false;
    this.onChange();
    if (!this.again) return;
    this.again = false;
    this.refresh();
  }
}
