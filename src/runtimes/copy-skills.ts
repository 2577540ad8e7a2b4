import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchFile } from './adapter.ts';

/** The skills as files below another folder, for programs that look for them in a layout of their own. */
export function copySkills(skillsDir: string, target: string): LaunchFile[] {
  let names: string[];
  try {
    names = readdirSync(skillsDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    // Without skills of its own a runtime still gets them by `lattice skill`.
    return [];
  }
  return names.flatMap((name) => {
    try {
      return [{ path: join(target, name, 'SKILL.md'), text: readFileSync(join(skillsDir, name, 'SKILL.md'), 'utf8') }];
    } catch {
      return [];
    }
  });
}
