// Where the product's own files are: worked out from this file's place, in the sources or in the build.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder with package.json. */
export const packageRoot = fileURLToPath(new URL('.', import.meta.url)).replace(/\/(dist|src)\/.*$/, '');
export const distFolder = join(packageRoot, 'dist');
export const skillsFolder = join(packageRoot, 'skills');
export const instructionsFile = join(skillsFolder, 'INSTRUCTIONS.md');
export const latticeProgram = join(distFolder, 'bin', 'lattice.js');

/** V8 would let garbage of relayed output pile up to 130 MB before it looks for what is still used. */
const youngGenerationFlag = '--max-semi-space-size=8';

/** How a host is started; holders use the same to bring one back. */
export function hostArgv(home: string): string[] {
  return [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    youngGenerationFlag,
    join(distFolder, 'host', 'main.js'),
    '--home',
    home,
  ];
}

/** Folders that a session needs to be able to call `lattice`. */
export function programFolders(): string[] {
  const folders = [distFolder, skillsFolder, join(packageRoot, 'node_modules'), dirname(process.execPath)];
  // As they really are: a link cannot be mounted over, and whoever follows it gets here.
  return [...new Set(folders.map(resolved))];
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
