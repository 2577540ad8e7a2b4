// Who may import whom: the one table behind the linter's folder rules (oxlint.config.ts) and the check of lazy imports.
// Imports go one way; an npm package belongs to the folders named here and to nobody else.

interface FolderRule {
  /** Other folders of src/ this one may import. Its own files are always allowed. */
  readonly folders: readonly string[];
  /** Folders that may only be loaded with `import()`, so that they cost nothing until used. */
  readonly lazyFolders?: readonly string[];
}

export const folderRules: Readonly<Record<string, FolderRule>> = {
  core: { folders: [] },
  protocol: { folders: ['core'] },
  platform: { folders: ['core'] },
  terminal: { folders: ['core'] },
  artifacts: { folders: ['core'] },
  recording: { folders: ['core', 'platform', 'terminal'] },
  holder: { folders: ['core', 'platform', 'protocol', 'recording'] },
  git: { folders: ['core', 'platform'] },
  sandbox: { folders: ['core', 'platform'] },
  runtimes: { folders: ['core', 'platform', 'terminal'] },
  engine: { folders: ['artifacts', 'core', 'platform'] },
  host: {
    folders: [
      'artifacts',
      'client',
      'core',
      'engine',
      'git',
      'holder',
      'platform',
      'protocol',
      'recording',
      'runtimes',
      'sandbox',
      'terminal',
    ],
  },
  client: { folders: ['core', 'platform', 'protocol'] },
  timeline: { folders: ['core', 'platform', 'recording'], lazyFolders: ['runtimes'] },
  demo: { folders: ['core', 'git', 'platform'] },
  tui: { folders: ['artifacts', 'client', 'core', 'platform', 'protocol', 'recording', 'terminal', 'timeline'] },
  cli: {
    folders: ['client', 'core', 'demo', 'platform', 'protocol', 'recording', 'timeline'],
    lazyFolders: ['engine', 'runtimes', 'sandbox', 'tui'],
  },
  bin: { folders: ['cli'] },
};

/** Every npm package of the product with the folders that own it. */
export const packageOwners: Readonly<Record<string, readonly string[]>> = {
  '@xterm/headless': ['terminal'],
  commander: ['cli'],
  diff: ['artifacts', 'engine', 'git', 'host', 'tui'],
  execa: ['platform'],
  ink: ['tui'],
  'mdast-util-from-markdown': ['artifacts'],
  'mdast-util-gfm': ['artifacts'],
  'micromark-extension-gfm': ['artifacts'],
  'node-pty': ['holder'],
  react: ['tui'],
  'simple-git': ['git'],
  'string-width': ['cli', 'terminal', 'tui'],
  tar: ['cli'],
  'terminal-image': ['tui'],
  yaml: ['artifacts'],
  zod: ['artifacts', 'cli', 'core', 'engine', 'git', 'host', 'platform', 'protocol', 'runtimes', 'timeline'],
};

/** Modules that touch the world; the pure rules in core must not reach for them. */
const impureBuiltins = [
  'child_process',
  'dgram',
  'fs',
  'http',
  'https',
  'net',
  'os',
  'process',
  'timers',
  'worker_threads',
];

export interface RestrictedPattern {
  readonly regex: string;
  readonly message: string;
}

/** Complete `no-restricted-imports` patterns of one folder. Complete, because a later override replaces an earlier one. */
export function restrictedPatterns(folder: string): RestrictedPattern[] {
  const rule = folderRules[folder];
  if (!rule) throw new Error(`src/${folder} is not in the import table`);
  // The linter sees import() as well; that lazy folders are only loaded so is for the test of this table.
  const allowed = [folder, ...rule.folders, ...(rule.lazyFolders ?? [])];
  const forbiddenFolders = Object.keys(folderRules).filter((name) => !allowed.includes(name));
  const forbiddenPackages = Object.keys(packageOwners).filter((name) => !packageOwners[name]?.includes(folder));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${forbiddenFolders.join('|')})/`,
      message: `src/${folder} may import only: ${rule.folders.join(', ') || 'nothing else'} (tools/import-rules.ts).`,
    },
    { regex: '^(\\.\\./)+(test|bench|tools|dist|src|node_modules)/', message: 'src/ does not reach outside itself.' },
    {
      regex: `^(${forbiddenPackages.join('|')})(/|$)`,
      message: `src/${folder} does not own this package (tools/import-rules.ts).`,
    },
  ];
  if (folder === 'core') {
    patterns.push({
      regex: `^(node:)?(${impureBuiltins.join('|')})(/|$)`,
      message: 'src/core is pure: no clock, no file system, no process.',
    });
  }
  return patterns;
}

/** May code in `folder` load `target` (another folder of src/, or a package name) with `import()`? */
export function mayImportLazily(folder: string, target: string): boolean {
  const rule = folderRules[folder];
  if (!rule) return false;
  if (target in folderRules) {
    return target === folder || rule.folders.includes(target) || (rule.lazyFolders?.includes(target) ?? false);
  }
  return packageOwners[target]?.includes(folder) ?? true;
}
