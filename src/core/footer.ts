// The status footer that ends every answer of an agent: five lines, one field each. It is read back from a screen, so
// each line starts with a mark and its values are drawn from closed vocabularies wherever that is possible: a footer that a
// terminal has wrapped, indented or framed still reads.
import { type ArtifactName, type Stage, artifactNames, stageNames } from './stage.ts';

export interface FooterFacts {
  /** Task id. */
  readonly task: string;
  readonly stage: Stage;
  /** 1-10. */
  readonly stageNumber: number;
  readonly pendingToken: string | null;
  readonly reviewCount: number;
  readonly reviewLimit: number;
  /** The artifact that the stage owes or last owed. */
  readonly artifact: ArtifactName | null;
}

const mark = '[lattice]';

export function formatFooter(facts: FooterFacts): string {
  const artifact = facts.artifact === null ? 'none' : `artifacts/${facts.artifact}`;
  return [
    `${mark} task: ${facts.task}`,
    `${mark} stage: ${facts.stage} (${facts.stageNumber}/10)`,
    `${mark} token: ${facts.pendingToken ?? 'none'}`,
    `${mark} reviews: ${facts.reviewCount}/${facts.reviewLimit}`,
    `${mark} artifact: ${artifact}`,
  ].join('\n');
}

/** Only this much of the end of a screen or transcript is looked at; a footer is the last thing of an answer. */
const tailLength = 64_000;

/** Blanks are taken out before this looks, because a terminal may wrap anywhere. */
const footerPattern = new RegExp(
  [
    '\\[lattice\\]task:([A-Za-z0-9._-]{1,64})',
    `\\[lattice\\]stage:(${stageNames.join('|')})\\((\\d{1,2})/10\\)`,
    '\\[lattice\\]token:((?:(?!\\[lattice\\]).){1,200})',
    '\\[lattice\\]reviews:(\\d{1,4})/(\\d{1,4})',
    `\\[lattice\\]artifact:(?:none|artifacts/(${artifactNames.map((a) => a.replace('.', '\\.')).join('|')}))`,
  ].join(''),
  'gsd',
);

/** The last complete footer in text from which escape sequences were removed; null when there is none. */
export function parseFooter(screenText: string): FooterFacts | null {
  const text = flatten(screenText.slice(-tailLength));
  const { squeezed, origin } = squeezeWithOrigin(text);
  const match = [...squeezed.matchAll(footerPattern)].at(-1);
  if (match === undefined) return null;
  const [, task = '', stageText, number, , count, limit, artifactText] = match;
  const stage = stageNames.find((s) => s === stageText);
  if (stage === undefined) return null;
  const [tokenStart, tokenEnd] = match.indices?.[4] ?? [0, 0];
  const token = text.slice(origin[tokenStart], (origin[tokenEnd - 1] ?? 0) + 1);
  return {
    task,
    stage,
    stageNumber: Number(number),
    pendingToken: token === 'none' ? null : token,
    reviewCount: Number(count),
    reviewLimit: Number(limit),
    artifact: artifactNames.find((a) => a === artifactText) ?? null,
  };
}

/** Null when the footer says what is so; otherwise what it claims against the facts. Wrapping is no contradiction. */
export function compareFooter(footer: FooterFacts, actual: FooterFacts): string | null {
  const differences = [
    differ('task', footer.task, actual.task),
    differ('stage', `${footer.stage} (${footer.stageNumber}/10)`, `${actual.stage} (${actual.stageNumber}/10)`),
    differ('token', footer.pendingToken ?? 'none', actual.pendingToken ?? 'none'),
    differ('reviews', `${footer.reviewCount}/${footer.reviewLimit}`, `${actual.reviewCount}/${actual.reviewLimit}`),
    differ('artifact', footer.artifact ?? 'none', actual.artifact ?? 'none'),
  ].filter((d) => d !== null);
  return differences.length === 0 ? null : `the footer contradicts the state: ${differences.join('; ')}`;
}

function differ(name: string, claimed: string, actual: string): string | null {
  return squeeze(claimed) === squeeze(actual) ? null : `${name} "${claimed}", in fact "${actual}"`;
}

/** One line: what frames or indents lines on a screen is taken away, line ends become single blanks. */
function flatten(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^[\s│┃║|▌▏▎>⏺●•⎿╰╭*]*(?:- +)?/, '').replace(/[\s│┃║|▐▕]+$/, ''))
    .filter((line) => line !== '')
    .join(' ')
    .replace(/[\t\u00A0 ]+/g, ' ');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The text without blanks, and for each of its characters where it stood. */
function squeezeWithOrigin(text: string): { squeezed: string; origin: number[] } {
  const origin: number[] = [];
  for (let at = 0; at < text.length; at++) if (!/\s/.test(text.charAt(at))) origin.push(at);
  return { squeezed: squeeze(text), origin };
}
