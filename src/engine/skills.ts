// The seven skills as they are on disk now. Read each time: an operator may change one while runs are under way.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../artifacts/contract.ts';
import { type Skill, loadSkill } from '../artifacts/skill.ts';
import { GatehouseError } from '../core/error.ts';
import { type ArtifactName, type SkillName, type WorkStage, skillNames, stageRules } from '../core/stage.ts';
import { sha256 } from './canonical.ts';

export interface PresentSkill extends Skill {
  readonly sha256: string;
}

export async function readSkill(folder: string, name: SkillName): Promise<PresentSkill> {
  const path = join(folder, name, 'SKILL.md');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new GatehouseError(
      'skill.unknown',
      `${path} cannot be read`,
      'install Gatehouse again; its skills are missing',
    );
  }
  return { ...loadSkill(text, path), sha256: sha256(text) };
}

export async function skillsOf(folder: string, stage: WorkStage): Promise<PresentSkill[]> {
  return Promise.all(stageRules[stage].skills.map((name) => readSkill(folder, name)));
}

/** What an artifact must contain; each is declared by one skill. */
export async function contractOf(folder: string, artifact: ArtifactName): Promise<Contract> {
  for (const name of skillNames) {
    const contract = (await readSkill(folder, name)).contracts[artifact];
    if (contract !== undefined) return contract;
  }
  throw new GatehouseError(
    'skill.unknown',
    `no skill declares ${artifact}`,
    'restore the skills that ship with Gatehouse',
  );
}
