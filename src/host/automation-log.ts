// What the automations of one run did (`automations.jsonl`), and by that which of them need not be fired again.
import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { StageMove } from './host-parts.ts';

const lineSchema = z.object({
  id: z.string(),
  automation: z.string(),
  what: z.enum(['started', 'done', 'failed']),
  from: z.string().nullable(),
  to: z.string(),
});
type Line = z.infer<typeof lineSchema>;

export interface AutomationResult {
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
  readonly output?: string;
  /** The run that was started. */
  readonly run?: string;
}

export class AutomationLog {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Whatever its end was: a failed one is not tried again. */
  hasEnded(automation: string, { id }: StageMove): boolean {
    return this.read().some((line) => line.id === id && line.automation === automation && line.what !== 'started');
  }

  /** Those that a host was killed in the middle of. */
  cutOff(): { automation: string; move: StageMove }[] {
    const lines = this.read();
    const ended = new Set(lines.filter((line) => line.what !== 'started').map(keyOf));
    return lines
      .filter((line) => line.what === 'started' && !ended.has(keyOf(line)))
      .map(({ automation, id, from, to }) => ({ automation, move: { id, from, to } }));
  }

  note(what: Line['what'], automation: string, move: StageMove, result: AutomationResult = {}): void {
    const line = { at: new Date().toISOString(), what, automation, ...move, ...result };
    try {
      appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // No room: at worst the automation is fired once more, with the same id.
    }
  }

  private read(): Line[] {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return [];
    }
    return text.split('\n').flatMap((line) => {
      try {
        return [lineSchema.parse(JSON.parse(line))];
      } catch {
        // The end of the file, or a line that was cut off.
        return [];
      }
    });
  }
}

function keyOf({ automation, id }: Line): string {
  return `${automation} ${id}`;
}
