// Diagnose and draft: the commands that show the bug, the lines at fault, and the two artifacts about them.
import { readFacts } from './facts.ts';
import { type Fix, lineOf } from './fix.ts';
import type { Hands } from './hands.ts';
import { readEvidenceId } from './lattice.ts';
import { diagnosisText, type Place } from './writing/diagnosis.ts';
import { ideaText } from './writing/idea.ts';

export async function reproduce(hands: Hands, fix: Fix): Promise<void> {
  for (const [index, each] of fix.reproduce.entries()) {
    await record(hands, `run:${index}`, ['run', '--', 'sh', '-c', each.command]);
    if (each.image !== undefined && each.pair !== undefined) {
      await record(hands, `image:${each.pair}`, [
        'add',
        each.image,
        '--kind',
        'image',
        '--pair',
        `before:${each.pair}`,
      ]);
    }
  }
}

export async function inspect(hands: Hands, fix: Fix): Promise<void> {
  for (const [index, place] of places(hands, fix).entries()) {
    await record(hands, `lines:${index}`, ['add', `${place.file}:${place.from}-${place.to}`]);
  }
}

export async function writeDiagnosis(hands: Hands, fix: Fix): Promise<void> {
  const names = [
    ...fix.reproduce.map((_, index) => `run:${index}`),
    ...fix.reproduce.flatMap(({ pair }) => (pair === undefined ? [] : [`image:${pair}`])),
    ...fix.inspect.map((_, index) => `lines:${index}`),
  ];
  const ids = new Map(names.map((name) => [name, recall(hands, name) ?? '']));
  await hands.writeArtifact('diagnosis.md', diagnosisText(fix, ids, places(hands, fix)));
}

export async function writeIdea(hands: Hands, fix: Fix): Promise<void> {
  const { draft, feedback } = readFacts(await hands.status());
  await hands.writeArtifact('idea.md', ideaText(fix, hands.readArtifact('diagnosis.md'), draft, feedback));
}

/** Records evidence once; a conversation that goes on remembers the id. */
async function record(hands: Hands, name: string, args: readonly string[]): Promise<string> {
  const known = recall(hands, name);
  if (known !== undefined) return known;
  const result = await hands.lattice('evidence', ...args);
  const id = readEvidenceId(result.output);
  if (id === null) throw new Error(`no evidence id in: ${result.output.slice(0, 200)}`);
  hands.parts.conversation.add({
    kind: 'tool-result',
    text: `${name} is ${id}`,
    remember: { [`evidence:${name}`]: id },
  });
  return id;
}

function recall(hands: Hands, name: string): string | undefined {
  return hands.parts.conversation.recall(`evidence:${name}`);
}

function places(hands: Hands, fix: Fix): Place[] {
  return fix.inspect.map(({ file, find, lines }) => {
    const from = Math.max(1, lineOf(hands.root, file, find));
    return { file, from, to: from + lines - 1 };
  });
}
