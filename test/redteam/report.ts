// The table, for a terminal and for the README.
import type { Attack } from './attack.ts';
import type { Mode, Outcome } from './outcome.ts';

const words = { prevented: 'prevented', detected: 'detected', not: 'NOT' } as const;

export function plainTable(attacks: readonly Attack[], outcomes: readonly Outcome[]): string {
  const width = Math.max(10, ...attacks.map(({ title }) => title.length));
  const rows = attacks.map(
    (attack) =>
      `${attack.title.padEnd(width)}  ${cell(attack, 'bwrap', outcomes).padEnd(9)}  ${cell(attack, 'hooks', outcomes)}`,
  );
  return `\n${'attack'.padEnd(width)}  bwrap      hooks only\n${rows.join('\n')}\n\n${summary(outcomes)}\n`;
}

export function markdownTable(attacks: readonly Attack[], outcomes: readonly Outcome[]): string {
  const rows = attacks.map(
    (attack) => `| ${attack.title} | ${cell(attack, 'bwrap', outcomes)} | ${cell(attack, 'hooks', outcomes)} |`,
  );
  return `| attack | bwrap | hooks only |\n|---|---|---|\n${rows.join('\n')}\n\n${summary(outcomes)}\n`;
}

/** An attack that was tried in two places counts as the place where it did best. */
function cell({ id }: Attack, mode: Mode, outcomes: readonly Outcome[]): string {
  const verdicts = outcomes.filter((each) => each.id === id && each.mode === mode).map(({ verdict }) => verdict);
  const worst = (['not', 'detected', 'prevented'] as const).find((verdict) => verdicts.includes(verdict));
  return worst === undefined ? '-' : words[worst];
}

function summary(outcomes: readonly Outcome[]): string {
  return (['bwrap', 'hooks'] as const)
    .map((mode) => {
      const own = outcomes.filter((outcome) => outcome.mode === mode);
      const count = (verdict: Outcome['verdict']) => own.filter((outcome) => outcome.verdict === verdict).length;
      return `${mode}: ${own.length} attacks, ${count('prevented')} prevented, ${count('detected')} detected, ${count('not')} succeeded`;
    })
    .join('\n');
}
