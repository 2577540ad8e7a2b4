import { formatDay } from '../calendar.js';
import { formatSize } from '../format-size.js';
import { percent } from '../share.js';
import { sortEntries } from '../sort.js';
import { readStore } from '../store.js';
import { renderTable } from '../table.js';
import { message } from '../text/messages.js';

export function run({ options, out }) {
  const lang = options.lang ?? 'en';
  const store = readStore(options.store);
  const total = store.entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const pinned = store.entries.filter((entry) => entry.pinned).reduce((sum, entry) => sum + entry.bytes, 0);
  out.write(`${message(lang, 'heading')}\n`);
  const rows = sortEntries(store.entries, 'name').map((entry) => [entry.name, formatDay(entry.lastUsed), formatSize(entry.bytes)]);
  if (rows.length > 0) out.write(`${renderTable(rows)}\n`);
  out.write(`${message(lang, 'caches', { n: store.entries.length })}\n`);
  out.write(`${message(lang, 'total', { size: formatSize(total) })}, pinned ${percent(pinned, total)}\n`);
}
