// Leaving the frames for a run's own terminal, or for a picture, and coming back.
import type { RunSummary } from '../core/run.ts';
import type { Console } from './console.ts';
import type { ConsoleClient } from './ports.ts';
import type { Excursions } from './run-actions.ts';
import type { ConsoleTerminal } from './terminal.ts';

export function createExcursions(
  console: Console,
  _terminal: ConsoleTerminal,
  _client: () => ConsoleClient | null,
): Excursions {
  const later = (run: RunSummary) => console.say({ level: 'bad', text: `${run.task.id}: not yet` });
  return { attach: later, watch: later, replay: later, viewImages: later };
}
