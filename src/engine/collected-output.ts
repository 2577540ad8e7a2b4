// What a command prints, kept up to a limit: one that prints for ever must fill neither memory nor disk.
import { maxOutputBytes } from './evidence-files.ts';

export interface CollectedOutput {
  readonly take: (chunk: Buffer) => void;
  text(): Buffer;
  droppedBytes(): number;
}

export function collectOutput(): CollectedOutput {
  const chunks: Buffer[] = [];
  let kept = 0;
  let dropped = 0;
  return {
    take: (chunk) => {
      const part = chunk.subarray(0, Math.max(0, maxOutputBytes - kept));
      if (part.length > 0) chunks.push(Buffer.from(part));
      kept += part.length;
      dropped += chunk.length - part.length;
    },
    text: () => Buffer.concat(chunks),
    droppedBytes: () => dropped,
  };
}
