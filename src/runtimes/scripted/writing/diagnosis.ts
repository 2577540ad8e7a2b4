import type { Fix } from '../fix.ts';

/** Evidence of the diagnosis, by the name it is remembered under: `run:0`, `image:dialog`, `lines:1`. */
export type EvidenceIds = ReadonlyMap<string, string>;

export interface Place {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export function diagnosisText(fix: Fix, ids: EvidenceIds, places: readonly Place[]): string {
  const runs = fix.reproduce.map((each, index) => ({ ...each, id: ids.get(`run:${index}`) ?? '' }));
  const lines = fix.inspect.map((each, index) => ({ ...each, id: ids.get(`lines:${index}`) ?? '', at: places[index] }));
  const images = runs.flatMap((each) =>
    each.pair === undefined ? [] : [{ pair: each.pair, id: ids.get(`image:${each.pair}`) ?? '' }],
  );
  const first = lines[0];
  return `# Diagnosis

## Summary

${sentence(fix.summary)} A user meets it with the command below.

## Reproduction

${runs.map((each) => `${sentence(each.means)} (${each.id})\n\n${block(each.command)}`).join('\n\n')}

## Evidence

${[
  ...runs.map((each) => `- ${each.id}: ${each.means}`),
  ...images.map((each) => `- ${each.id}: picture before the change (${each.pair})`),
  ...lines.map((each) => `- ${each.id}: ${spot(each.at)} ${each.means}`),
].join('\n')}

## Root cause

${sentence(fix.rootCause)} It is at ${spot(first?.at)} (${first?.id ?? ''}), and it explains what the commands show (${runs.map((each) => each.id).join(', ')}).

## Affected places

${[...new Map(lines.map((each) => [each.file, each.means])).entries()].map(([file, means]) => `- ${file}: ${means}`).join('\n')}
`;
}

/** `- E3: text` of the list under Evidence. */
export function listedEvidence(diagnosis: string): { id: string; text: string }[] {
  return [...diagnosis.matchAll(/^- (E\d+): (.*)$/gm)].map(([, id = '', text = '']) => ({ id, text }));
}

export function pictureBefore(diagnosis: string, pair: string): string | null {
  return listedEvidence(diagnosis).find(({ text }) => text === `picture before the change (${pair})`)?.id ?? null;
}

export function sentence(text: string): string {
  const capital = /^[a-z]/.test(text) && !/^\S*[`(_.]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

export function block(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

function spot(place: Place | undefined): string {
  if (place === undefined) return '';
  return place.from === place.to ? `\`${place.file}:${place.from}\`` : `\`${place.file}:${place.from}-${place.to}\``;
}
