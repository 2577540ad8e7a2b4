// `npm run bench -- NAME` runs bench/NAME.ts; without a name it lists them.
import { readdirSync } from 'node:fs';

const [name] = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted();

// What a benchmark has started is ended at its exit, also when it is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (name !== undefined && names.includes(name)) {
  process.stdout.write(`bench: ${name} ...\n`);
  await import(`./${name}.ts`);
} else {
  process.stdout.write(`usage: npm run bench -- NAME\n\n${names.map((each) => `  ${each}\n`).join('')}`);
  process.exitCode = name === undefined ? 0 : 2;
}
