// `npm run build`: TypeScript to dist/, the console as one file, and whatever else the programs read at run time.
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleConsole } from './bundle-console.ts';
import { bundleHolder } from './bundle-holder.ts';
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
await bundleHolder(dist);
for (const file of readdirSync(join(dist, 'bin'))) if (file.endsWith('.js')) chmodSync(join(dist, 'bin', file), 0o755);
writeFileSync(join(dist, '.built'), '');

/** tsc leaves the output of deleted sources behind; a test could go on importing it. */
function removeStale(): void {
  if (!existsSync(dist)) return;
  const sources = new Set(filesBelow(src).map((path) => path.replace(compiled, '.js')));
  // Top-level files are bundles and build state.
  const fromSource = (path: string): boolean => path.includes('/');
  for (const path of filesBelow(dist)) if (fromSource(path) && !sources.has(path)) rmSync(join(dist, path));
}

/** Everything in src/ that tsc does not compile: JSON, plain JavaScript, the whole sample. Not the codebase guide. */
function copyAssets(): void {
  const assets = filesBelow(src).filter((path) => !compiled.test(path) && path.includes('/'));
  for (const path of assets) cpSync(join(src, path), join(dist, path));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
