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

/** The first segmenter loads break tables (10 ms); several packages make one when loaded, and few rows ever need it. */
const lazySegmenter = `var LazySegmenter = class {
  #options; #real;
  constructor(...options) { this.#options = options; }
  segment(text) { return (this.#real ??= new globalThis.Intl['Segmenter'](...this.#options)).segment(text); }
};`;

/** What the launcher loads later, behind the first frame. */
const behindFirstFrame = [/\/main\.js$/, /\/client\//, /\/timeline\//];

/** Writes `console.js` into `dist` when the console's entry has been compiled, and the launcher in front of it as one file. */
export async function bundleConsole(dist: string): Promise<void> {
  const input = join(dist, 'tui/main.js');
  if (!existsSync(input)) return;
  process.stdout.write('build: console bundle ...\n');
  const startedAt = performance.now();
  await bundleFile(input, join(dist, 'console.js'), { minify: true });
  // Not over its own input: what the compiler need not write again would be bundled twice.
  await bundleFile(join(dist, 'tui/launch.js'), join(dist, 'start/launch.js'), {
    minify: false,
    external: behindFirstFrame,
    keepAll: true,
  });
  process.stdout.write(`build: console bundle ok (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
}

/** One module and everything it imports as one file; the benchmarks and tests bundle their own entries with it. */
export async function bundleFile(
  input: string,
  file: string,
  options: { readonly minify: boolean; readonly external?: readonly RegExp[]; readonly keepAll?: boolean },
): Promise<void> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [...external, ...(options.external ?? [])],
    plugins: [withoutDevtools],
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        'process.env.DEV': '"false"',
        // Yoga would fetch its WebAssembly from a data URL, and the first use of fetch loads all of undici (60 ms or more).
        fetch: 'undefined',
        'Intl.Segmenter': 'LazySegmenter',
      },
    },
    // What the launcher makes is handed to another bundle: a property that nobody reads in this one is still needed.
    treeshake: options.keepAll !== true,
    logLevel: 'warn',
  });
  try {
    await bundle.write({ file, format: 'esm', codeSplitting: false, minify: options.minify, banner: lazySegmenter });
  } finally {
    await bundle.close();
  }
}
