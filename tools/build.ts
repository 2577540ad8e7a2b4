// `npm run build`: TypeScript to dist/, the console as one file, and whatever else the programs read at run time.
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleConsole } from './bundle-console.ts';
import { runSteps } from './steps.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const dist = join(root, 'dist');
const compiled = /\.tsx?$/;

process.chdir(root);
removeStale();
if (!runSteps('build', [{ name: 'compile', command: ['tsc', '--pretty', 'false'] }])) process.exitCode = 1;
copyAssets();
await bundleConsole(dist);
for (const file of readdirSync(join(dist, 'bin'))) if (file.endsWith('.js')) chmodSync(join(dist, 'bin', file), 0o755);
writeFileSync(join(dist, '.built'), '');

/** tsc leaves the output of deleted sources behind; a test could go on importing it. */
function removeStale(): void {
  if (!existsSync(dist)) return;
  for (const path of filesBelow(dist)) {
    if (!path.endsWith('.js') || path === 'console.js') continue;
    const stem = join(src, path.slice(0, -'.js'.length));
    if (!['.ts', '.tsx', '.js'].some((ending) => existsSync(stem + ending))) rmSync(join(dist, path));
  }
}

/** Everything in src/ that tsc does not compile: JSON, plain JavaScript, sample files. */
function copyAssets(): void {
  for (const path of filesBelow(src)) {
    if (compiled.test(path) || (path.endsWith('.md') && !path.startsWith('demo/'))) continue;
    cpSync(join(src, path), join(dist, path), { mode: 0 });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
