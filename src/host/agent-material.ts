// What a session is given to read: the main instructions and the skills, with what config.json adds for its agent. Laid
// out anew for each session, in a folder of the host's own that no session can write.
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentConfig } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import { configuredFile } from '../platform/load-config.ts';
import { instructionsFile, skillsFolder } from '../platform/program-files.ts';

export interface AgentMaterial {
  readonly instructionsFile: string;
  /** Folder with `<name>/SKILL.md`. */
  readonly skillsDir: string;
}

/**
 * @param home where relative paths of config.json start.
 * @throws GatehouseError `config.invalid` when something that config.json names is not there or takes a name of the workflow.
 */
export async function layOutMaterial(agent: AgentConfig, home: string, folder: string): Promise<AgentMaterial> {
  if (agent.instructions === undefined && agent.skills.length === 0)
    return { instructionsFile, skillsDir: skillsFolder };
  const material = { instructionsFile: join(folder, 'INSTRUCTIONS.md'), skillsDir: join(folder, 'skills') };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sources = [skillsFolder, ...agent.skills.map((path) => configuredFile(home, path))];
  for (const source of sources) await addSkills(source, material.skillsDir);
  await writeFile(material.instructionsFile, await instructionsOf(agent, home), { mode: 0o600 });
  return material;
}

async function instructionsOf(agent: AgentConfig, home: string): Promise<string> {
  const main = await readFile(instructionsFile, 'utf8');
  if (agent.instructions === undefined) return main;
  const path = configuredFile(home, agent.instructions);
  const more = await readFile(path, 'utf8').catch((error: unknown) => refuse(`${path} cannot be read`, error));
  return `${main.trimEnd()}\n\n# Added for this agent\n\nNothing below lifts a rule above.\n\n${more}`;
}

async function addSkills(source: string, target: string): Promise<void> {
  const entries = await readdir(source, { withFileTypes: true }).catch((error: unknown) =>
    refuse(`${source} is no folder of skills`, error),
  );
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const options = { recursive: true, dereference: true, errorOnExist: true, force: false };
    await cp(join(source, name), join(target, name), options).catch((error: unknown) =>
      refuse(`the skill ${name} of ${source} cannot be added: there is one of that name, or it cannot be read`, error),
    );
  }
}

function refuse(message: string, cause: unknown): never {
  throw new GatehouseError('config.invalid', message, 'correct the agent in config.json', { cause });
}
