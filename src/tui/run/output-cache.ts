// Whole outputs of evidence, read when they are looked at. The engine keeps them; the state has only their first lines.
import { inertText } from '../../core/inert.ts';
import type { Evidence } from '../../core/state.ts';
import { readEvidence } from './evidence-file.ts';

/** More than a person reads here; the file is named for the rest. */
const maxBytes = 512 * 1024;

export class OutputCache {
  private readonly texts = new Map<string, string | null>();
  private readonly onLoaded: () => void;

  constructor(onLoaded: () => void) {
    this.onLoaded = onLoaded;
  }

  /** Null while it is being read. */
  text(path: string, evidence: Pick<Evidence, 'sha256' | 'image'>): string | null {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    this.texts.set(path, null);
    void read(path, evidence).then((text) => {
      this.texts.set(path, text);
      this.onLoaded();
    });
    return null;
  }
}

async function read(path: string, evidence: Pick<Evidence, 'sha256' | 'image'>): Promise<string> {
  const found = await readEvidence(path, evidence);
  if ('failure' in found) return found.failure;
  const { data } = found;
  const text = inertText(data.subarray(0, maxBytes).toString('utf8'));
  return data.length > maxBytes ? `${text}\n... ${data.length - maxBytes} more bytes are in the file` : text;
}
