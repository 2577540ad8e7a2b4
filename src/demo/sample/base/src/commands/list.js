import { ageInDays } from '../age.js';
import { formatSize } from '../format-size.js';
import { shortenHome } from '../home.js';
import { paginate } from '../paginate.js';
import { sortEntries } from '../sort.js';
import { readStore } from '../store.js';
import { renderTable } from '../table.js';

export function run({ options, now, out }) {
  const store = readStore(options.store);
  const sorted = sortEntries(store.entries, options.sort ?? 'name');
  const page = paginate(sorted, Number(options.page ?? 1), Number(options['per-page'] ?? 50));
  const rows = page.items.map((entry) => [
    entry.name,
    formatSize(entry.bytes),
    `${ageInDays(entry.lastUsed, now)}d`,
    shortenHome(entry.path, store.home),
  ]);
  out.write(`${renderTable([['NAME', 'SIZE', 'AGE', 'PATH'], ...rows])}\n`);
  out.write(`page ${page.page} of ${page.pages}, ${page.total} in all\n`);
}
