// What config.json gives an agent to read, as a session in the sandbox has it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Site } from './site.ts';

test('an agent gets its own instructions and skills beside those of the workflow, and cannot change them', async () => {
  await using site = await Site.open({
    fixtures: {
      reader: {
        file: 'reads-material.mjs',
        args: ['{instructions}', '{skills}'],
        agent: { instructions: 'team.md', skills: ['team-skills'] },
      },
    },
  });
  const skill = join(site.home, 'team-skills', 'team-style');
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: team-style\ndescription: How this team writes.\n---\n');
  writeFileSync(join(skill, 'check.sh'), 'echo style\n');
  writeFileSync(join(site.home, 'team.md'), 'Answer in Polish.\n');

  const { id } = await site.fixture('reader');
  await site.until(id, 'to be ready', (row) => row.lastLine.includes('ready'));
  const client = await site.client();
  const quiet = { onOutput: () => {}, onEvent: () => {}, onEnd: () => {} };
  const stream = await client.attach(id, 'read', { cols: 120, rows: 40 }, quiet);
  stream.close();
  const text = stream.snapshot;
  expect(text).toMatch(/skills: lattice-deliver .*lattice-verify team-style/);
  expect(text).toContain('its script: echo style');
  expect(text).toContain('the end of the instructions: Answer in Polish.');
  expect(text.match(/not written: EROFS/g)).toHaveLength(2);
}, 60_000);

test('what config.json names and is not there is said before anything starts', async () => {
  await using site = await Site.open({
    fixtures: { reader: { file: 'reads-material.mjs', agent: { instructions: 'nowhere.md' } } },
  });
  const doctor = await site.product.run(['doctor']);
  expect(doctor.stdout).toContain('it names files that are not there: nowhere.md');
}, 60_000);
