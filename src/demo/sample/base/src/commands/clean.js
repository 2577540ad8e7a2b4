import { appendFileSync, writeFileSync } from 'node:fs';
import { parseDuration } from '../duration.js';
import { formatSize } from '../format-size.js';
import { planClean } from '../freed.js';
import { logLine } from '../log.js';
import { readStore } from '../store.js';

/** Takes caches out of the store; the nightly job reads the log and removes the directories. */
export function run({ options, now, out }) {
  const store = readStore(options.store);
  const olderThanMs = options['older-than'] === undefined ? undefined : parseDuration(options['older-than']);
  const plan = planClean(store.entries, { match: options.match, olderThanMs, now });
  const verb = options['dry-run'] ? 'would clear' : 'cleared';
  for (const entry of plan.cleared) out.write(`${verb} ${JSON.stringify(entry.name)}\n`);
  out.write(`${plan.cleared.length} in all, ${formatSize(plan.freedBytes)} freed\n`);
  if (options.log !== undefined) {
    const lines = plan.cleared.map((entry) => logLine(now, 'info', 'cleared', { cache: entry.name, bytes: entry.bytes }));
    const text = lines.map((line) => `${line}\n`).join('');
    if (options.log === '-') out.write(text);
    else appendFileSync(options.log, text);
  }
  if (!options['dry-run']) {
    const gone = new Set(plan.cleared);
    const entries = store.entries.filter((entry) => !gone.has(entry));
    writeFileSync(options.store, `${JSON.stringify({ ...store, entries }, null, 2)}\n`);
  }
}
