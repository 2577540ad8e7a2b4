// Absolute times drift on shared machines. Ours and the reference are measured in turns, in one run; the ratio counts.

interface Comparison {
  readonly what: string;
  readonly unit: string;
  readonly referenceName: string;
  /** One measurement each, in `unit`. */
  readonly ours: () => Promise<number> | number;
  readonly reference: () => Promise<number> | number;
  readonly rounds?: number;
  /** The ratio to reach, for example '<= 2x'. */
  readonly target?: string;
}

/** Measures in turns and prints one line: our median, the reference's median, the ratio. */
export async function compare(comparison: Comparison): Promise<void> {
  const { ours, reference, rounds = 15 } = comparison;
  const ourValues: number[] = [];
  const referenceValues: number[] = [];
  // The first of each warms the file cache and does not count.
  await ours();
  await reference();
  for (let round = 0; round < rounds; round += 1) {
    ourValues.push(await ours());
    referenceValues.push(await reference());
  }
  printFigure({ ...comparison, ours: median(ourValues), reference: median(referenceValues) });
}

interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly referenceName: string;
  readonly ours: number;
  readonly reference: number;
  readonly target?: string;
}

export function printFigure({ what, unit, referenceName, ours, reference, target }: Figure): void {
  const ratio = (ours / reference).toFixed(2);
  const goal = target === undefined ? '' : `  (target ${target})`;
  const figures = `${ours.toFixed(1)} ${unit}  ${referenceName} ${reference.toFixed(1)} ${unit}`;
  process.stdout.write(`${what.padEnd(32)} ${figures}  ratio ${ratio}x${goal}\n`);
}

/** A figure that has a target of its own and no reference. */
export function printValue(what: string, value: number, unit: string, target?: string): void {
  const goal = target === undefined ? '' : `  (target ${target})`;
  process.stdout.write(`${what.padEnd(32)} ${value.toFixed(1)} ${unit}${goal}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
