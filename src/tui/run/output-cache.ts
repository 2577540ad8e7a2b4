// Whole outputs of evidence, read when they are looked at. The engine keeps them; the state has only their first lines.
import { open } from 'node:fs/promises';
import { inertText } from '../../core/inert.ts';

/** More than a person reads here; the file is named for the rest. */
const maxBytes = 512 * 1024;

export class OutputCache {
  private readonly texts = new Map<string, string | null>();
  private readonly onLoaded: () => void;

  constructor(onLoaded: () => void) {
    this.onLoaded = onLoaded;
  }

  /** Null while it is being read, or when it cannot be. */
  text(path: string): string | null {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    this.texts.set(path, null);
    void read(path).then((text) => {
      this.texts.set(path, text);
      this.onLoaded();
    });
    return null;
  }
}

async function read(path: string): Promise<string | null> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, maxBytes)), 0);
    const text = inertText(buffer.subarray(0, bytesRead).toString('utf8'));
    return size > maxBytes ? `${text}\n... ${size - maxBytes} more bytes are in the file` : text;
  } catch {
    return null;
  }
}
