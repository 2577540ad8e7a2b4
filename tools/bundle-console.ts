// The console as one file: reading one bundle is several times faster than resolving Ink's and React's hundreds of files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

/** Loaded only when needed, or native: they stay in node_modules. */
const external = [/^node:/, /^node-pty/, /^terminal-image/, /^simple-git/, /^execa/];

/** Ink imports its developer tools in a branch that is never taken here, from a package that is not installed. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  resolveId: (source) => (source === 'react-devtools-core' ? '\0no-devtools' : null),
  load: (id) => (id === '\0no-devtools' ? 'export default {};' : null),
};

/** Writes `console.js` into `dist` when the console's entry has been compiled. */
export async function bundleConsole(dist: string): Promise<void> {
  const input = join(dist, 'tui/main.js');
  if (!existsSync(input)) return;
  process.stdout.write('build: console bundle ...\n');
  const startedAt = performance.now();
  await bundleFile(input, join(dist, 'console.js'), { minify: true });
  process.stdout.write(`build: console bundle ok (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
}

/** One module and everything it imports as one file; the benchmarks and tests bundle their own entries with it. */
export async function bundleFile(input: string, file: string, options: { minify: boolean }): Promise<void> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [withoutDevtools],
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
    logLevel: 'warn',
  });
  try {
    await bundle.write({ file, format: 'esm', codeSplitting: false, minify: options.minify });
  } finally {
    await bundle.close();
  }
}
