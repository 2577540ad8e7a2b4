// The folder rules must bite: a rule that matches nothing would pass every lint run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { folderRules, mayImportLazily, packageOwners } from '../../tools/import-rules.ts';
import { repositoryRoot } from '../support/paths.ts';

const probes: readonly { readonly place: string; readonly code: string; readonly allowed: boolean }[] = [
  { place: 'core', code: "import '../platform/paths.ts';", allowed: false },
  { place: 'core', code: "import '../../test/support/wait-for.ts';", allowed: false },
  { place: 'core', code: "import 'node:fs';", allowed: false },
  { place: 'core', code: "import 'zod';", allowed: true },
  { place: 'core', code: "import 'node:crypto';", allowed: true },
  { place: 'terminal', code: "import '../core/error.ts';", allowed: true },
  { place: 'terminal', code: "export * from '../host/main.ts';", allowed: false },
  { place: 'terminal', code: "import '@xterm/headless';", allowed: true },
  { place: 'tui', code: "import '@xterm/headless';", allowed: false },
  { place: 'tui', code: "import type { Run } from '../engine/run.ts'; export type { Run };", allowed: false },
  { place: 'tui', code: "import 'ink'; import 'react'; import 'terminal-image';", allowed: true },
  { place: 'tui/grid', code: "import 'simple-git';", allowed: false },
  { place: 'host', code: "import 'react/jsx-runtime';", allowed: false },
  { place: 'host', code: "import 'node-pty';", allowed: false },
  { place: 'holder', code: "import 'node-pty';", allowed: true },
  { place: 'holder', code: "import 'zod';", allowed: false },
  { place: 'engine', code: "import 'simple-git';", allowed: false },
  { place: 'engine', code: "import 'yaml';", allowed: false },
  { place: 'git', code: "import 'simple-git';", allowed: true },
  { place: 'git', code: "import 'execa';", allowed: false },
  { place: 'runtimes/claude', code: "import '../../core/error.ts';", allowed: true },
  { place: 'runtimes/claude', code: "import '../../engine/run.ts';", allowed: false },
  { place: 'host', code: "import '../tui/main.tsx';", allowed: false },
  { place: 'client', code: "import 'commander';", allowed: false },
];

describe('the linter applies the folder table', () => {
  const root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  afterAll(() => rmSync(root, { recursive: true }));

  test('forbidden imports are reported, allowed ones are not', () => {
    for (const path of ['oxlint.config.ts', 'tools/import-rules.ts']) {
      cpSync(join(repositoryRoot, path), join(root, path), { recursive: true });
    }
    symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'));
    for (const [index, { place, code }] of probes.entries()) {
      const file = join(root, probePath(place, index));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${code}\n`);
    }
    const oxlint = join(repositoryRoot, 'node_modules/.bin/oxlint');
    const result = spawnSync(oxlint, ['--format', 'json', 'src'], { cwd: root, encoding: 'utf8' });
    const report = JSON.parse(result.stdout) as { diagnostics: { code: string; filename: string }[] };
    const reported = report.diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(({ filename }) => filename);
    const verdicts = probes.map(({ place, code }, index) => {
      return { place, code, allowed: !reported.includes(probePath(place, index)) };
    });
    expect(verdicts).toEqual(probes);
  });
});

describe('the tree keeps to the table', () => {
  const sources = readdirSync(join(repositoryRoot, 'src'), { recursive: true })
    .map(String)
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('demo/sample'));

  test('every folder of src/ and every package of package.json is in it', () => {
    const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { dependencies: object };
    const folders = new Set(sources.map((path) => path.split('/')[0] ?? ''));
    expect([...folders].filter((folder) => !(folder in folderRules))).toEqual([]);
    expect(Object.keys(manifest.dependencies).filter((name) => !(name in packageOwners))).toEqual([]);
  });

  test('imports written as import() stay inside it', () => {
    expect(sources.flatMap(forbiddenLazyImports)).toEqual([]);
  });

  test('lazy folders are loaded with import() only', () => {
    expect(staticImportsOfLazyFolders('cli/x.ts', "import { a } from '../tui/main.tsx';")).toHaveLength(1);
    expect(staticImportsOfLazyFolders('cli/x.ts', "import type { A } from '../tui/main.tsx';")).toEqual([]);
    const read = (path: string) => readFileSync(join(repositoryRoot, 'src', path), 'utf8');
    expect(sources.flatMap((path) => staticImportsOfLazyFolders(path, read(path)))).toEqual([]);
  });

  test('no file has a name that says nothing', () => {
    const empty = /(^|[/-])(utils?|helpers?|common|managers?|services?)([.-]|\/)/;
    expect(sources.filter((path) => empty.test(path))).toEqual([]);
  });
});

function probePath(place: string, index: number): string {
  return `src/${place}/probe-${index}.ts`;
}

/** The linter's rule looks at import statements only. */
function forbiddenLazyImports(path: string): string[] {
  const folder = path.split('/')[0] ?? '';
  const code = readFileSync(join(repositoryRoot, 'src', path), 'utf8');
  return [...code.matchAll(/\bimport\(\s*'([^']+)'/g)]
    .map(([, specifier = '']) => ({ specifier, target: lazyTarget(path, specifier) }))
    .filter(({ target }) => target !== null && !mayImportLazily(folder, target))
    .map(({ specifier }) => `src/${path}: ${specifier}`);
}

/** `import type` costs nothing at run time. */
function staticImportsOfLazyFolders(path: string, code: string): string[] {
  const folder = path.split('/')[0] ?? '';
  return [...code.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm)]
    .map(([, specifier = '']) => ({ specifier, target: lazyTarget(path, specifier) }))
    .filter(({ target }) => folderRules[folder]?.lazyFolders?.includes(target ?? '') ?? false)
    .map(({ specifier }) => `src/${path}: ${specifier}`);
}

/** The folder or the package behind a specifier; null for what needs no permission. */
function lazyTarget(path: string, specifier: string): string | null {
  if (specifier.startsWith('node:')) return null;
  if (specifier.startsWith('.')) return join(dirname(path), specifier).split('/')[0] ?? null;
  return Object.keys(packageOwners).find((name) => specifier === name || specifier.startsWith(`${name}/`)) ?? specifier;
}
