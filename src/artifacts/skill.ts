// A skill file: YAML front matter of the Agent Skills format, and text. That format allows only string values under
// `metadata`, so the contract is a YAML document inside the string `metadata.lattice-contract`.
import { parse } from 'yaml';
import { z } from 'zod';
import { GatehouseError } from '../core/error.ts';
import { firstIssue } from '../core/first-issue.ts';
import { skillNames, type SkillName } from '../core/stage.ts';
import { contractsSchema, type Contracts } from './contract.ts';
import { readFrontMatter } from './front-matter.ts';

export interface Skill {
  readonly name: SkillName;
  readonly description: string;
  /** The whole file, as the agent reads it. */
  readonly text: string;
  readonly contracts: Contracts;
}

const frontMatterSchema = z.looseObject({
  name: z.enum(skillNames),
  description: z.string().min(1).max(1024),
  metadata: z.record(z.string(), z.string()).default({}),
});

/** Throws `skill.unknown` when the file is not a usable skill; `file` only names it in the message. */
export function loadSkill(text: string, file: string): Skill {
  const matter = readFrontMatter(text);
  if (!matter.ok) throw unusable(file, matter.why);
  const front = frontMatterSchema.safeParse(matter.data);
  if (!front.success) throw unusable(file, firstIssue(front.error));
  const contracts = contractsSchema.safeParse(readYaml(front.data.metadata['lattice-contract'] ?? '{}', file));
  if (!contracts.success) throw unusable(file, `metadata.lattice-contract: ${firstIssue(contracts.error)}`);
  return { name: front.data.name, description: front.data.description, text, contracts: contracts.data };
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error));
  }
}

function unusable(file: string, why: string): GatehouseError {
  return new GatehouseError(
    'skill.unknown',
    `${file} is not a usable skill: ${why}`,
    'restore the skill file that ships with Gatehouse',
  );
}
