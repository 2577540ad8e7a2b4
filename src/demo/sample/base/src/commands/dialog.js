import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clearCacheDialog } from '../picture/clear-cache-dialog.js';
import { encodePng } from '../picture/png.js';
import { readStore } from '../store.js';

export function run({ options, out }) {
  const store = readStore(options.store);
  const target = options.out ?? 'out/dialog.png';
  const dialog = clearCacheDialog(store.entries, { home: store.home, scroll: Number(options.scroll ?? 0) });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, encodePng(dialog.canvas));
  out.write(`${target}: ${dialog.canvas.width}x${dialog.canvas.height}, ${dialog.drawn} of ${store.entries.length} rows drawn, room for ${dialog.room}\n`);
}
