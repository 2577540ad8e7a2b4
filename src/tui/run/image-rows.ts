// Pictures before and after, side by side.
import type { RunDetail } from '../../core/run.ts';
import type { Evidence } from '../../core/state.ts';
import { inertLine } from '../../core/inert.ts';
import { rule } from '../grid/facts.ts';
import { fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { evidencePath } from './evidence-file.ts';
import type { ImageCache } from './images.ts';
import { imageRows } from './items.ts';

export interface ImagePair {
  readonly name: string;
  readonly before: Evidence | null;
  readonly after: Evidence | null;
}

/** Pairs by name, the newest of each side; images without a pair stand alone, as "after". */
export function imagePairs(evidence: readonly Evidence[]): ImagePair[] {
  const images = evidence.filter((each) => each.kind === 'image' && each.file !== null);
  const names = new Set(images.map((each) => each.pair?.name ?? each.id));
  return [...names].map((name) => ({
    name,
    before: images.findLast((each) => each.pair?.name === name && each.pair.side === 'before') ?? null,
    after:
      images.findLast((each) =>
        each.pair === null ? each.id === name : each.pair.name === name && each.pair.side === 'after',
      ) ?? null,
  }));
}

export function pairRows(
  detail: RunDetail,
  images: ImageCache,
  size: { cols: number; rows: number },
  theme: Theme,
): string[] {
  return imagePairs(detail.state?.evidence ?? []).flatMap((pair) => onePair(pair, detail.dir, images, size, theme));
}

function onePair(
  pair: ImagePair,
  dir: string,
  images: ImageCache,
  size: { cols: number; rows: number },
  theme: Theme,
): string[] {
  const both = pair.before !== null && pair.after !== null;
  const cols = both ? Math.floor((size.cols - 3) / 2) : size.cols;
  const height = Math.max(4, Math.min(40, size.rows - 4));
  const side = (evidence: Evidence | null, word: string): string[] => {
    if (evidence === null || evidence.file === null) return [];
    const path = evidencePath(dir, evidence.file);
    const head = `${theme.bold(word)} ${theme.live(evidence.id)} ${theme.quiet(`${evidence.image?.width ?? '?'}x${evidence.image?.height ?? '?'} ${path}`)}`;
    return [head, ...imageRows(images, path, evidence, cols, height, theme)];
  };
  const [left, right] = [side(pair.before, 'before'), side(pair.after, both ? 'after' : 'image')];
  const title = rule(inertLine(pair.name), size.cols, theme);
  if (!both) return [title, ...left, ...right, ''];
  const count = Math.max(left.length, right.length);
  const rows = Array.from(
    { length: count },
    (_, y) => `${fit(left[y] ?? '', cols)} ${theme.quiet('│')} ${fit(right[y] ?? '', cols)}`,
  );
  return [title, ...rows, ''];
}
