// Images as half-block rows that fit into a frame. The decoder is large, so it is loaded when the first image is shown.
import type { Evidence } from '../../core/state.ts';
import { readEvidence } from './evidence-file.ts';

type Picture = Pick<Evidence, 'sha256' | 'image'>;

export type ImageRows = { readonly rows: readonly string[] } | { readonly failure: string } | 'loading';

export class ImageCache {
  private readonly cache = new Map<string, ImageRows>();
  private readonly onLoaded: () => void;

  constructor(onLoaded: () => void) {
    this.onLoaded = onLoaded;
  }

  /** At most `cols` by `rows` cells; the shape of the picture is kept. */
  rows(path: string, picture: Picture, cols: number, rows: number): ImageRows {
    const key = `${path} ${cols} ${rows}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    this.cache.set(key, 'loading');
    void load(path, picture, cols, rows).then((loaded) => {
      this.cache.set(key, loaded);
      this.onLoaded();
    });
    return 'loading';
  }
}

async function load(path: string, picture: Picture, cols: number, rows: number): Promise<ImageRows> {
  try {
    const found = await readEvidence(path, picture);
    if ('failure' in found) return found;
    const { image } = picture;
    const { default: terminalImage } = await import('terminal-image');
    const size = image === null ? { width: cols, height: rows } : fitInto(image, cols, rows);
    const text = await terminalImage.buffer(found.data, {
      ...size,
      preserveAspectRatio: false,
      preferNativeRender: false,
    });
    return { rows: text.replace(/\n$/, '').split('\n').slice(0, rows) };
  } catch (error) {
    return { failure: `cannot be drawn: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A half block makes two pixels of one cell, so a cell counts as one wide and two high. */
function fitInto(
  image: { width: number; height: number },
  cols: number,
  rows: number,
): { width: number; height: number } {
  const scale = Math.min(cols / image.width, (rows * 2) / image.height, 1);
  return {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round((image.height * scale) / 2)),
  };
}
