import { readFileSync } from 'node:fs';
import { parseConf } from '../conf.js';

export function run({ options, out }) {
  if (options.file === undefined) throw new Error('--file FILE is missing');
  const values = parseConf(readFileSync(options.file, 'utf8'));
  for (const [key, value] of Object.entries(values)) out.write(`${key} -> ${value}\n`);
}
