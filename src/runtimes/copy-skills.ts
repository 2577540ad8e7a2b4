import { type Dirent, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LaunchFile } from './adapter.ts';

/** The skills below another folder, each with all its files, for programs that look for them in a layout of their own. */
export function copySkills(skillsDir: string, target: string): LaunchFile[] {
  return filesOf(skillsDir)
    .filter(({ parentPath }) => parentPath !== skillsDir)
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const mode = (statSync(path).mode & 0o100) === 0 ? 0o600 : 0o700;
      return { path: join(target, relative(skillsDir, path)), text: readFileSync(path), mode };
    });
}

function filesOf(skillsDir: string): Dirent[] {
  try {
    return readdirSync(skillsDir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  } catch {
    // Without skills of its own a runtime still gets them by `lattice skill`.
    return [];
  }
}
