// Leaves what a program wrote behind as an asciicast v3 file, so that a failed test can be looked at.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './paths.ts';

export interface RecordedChunk {
  readonly atMs: number;
  readonly bytes: Buffer;
}

let saved = 0;

export function saveRecording(
  chunks: readonly RecordedChunk[],
  { cols, rows, title }: { cols: number; rows: number; title: string },
): string {
  const folder = join(repositoryRoot, 'test-output');
  mkdirSync(folder, { recursive: true });
  saved += 1;
  const path = join(folder, `${process.pid}-${saved}.cast`);
  const lines: unknown[] = [{ version: 3, term: { cols, rows }, title }];
  const decoder = new TextDecoder();
  let before = 0;
  for (const { atMs, bytes } of chunks) {
    lines.push([Number(((atMs - before) / 1000).toFixed(3)), 'o', decoder.decode(bytes, { stream: true })]);
    before = atMs;
  }
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}
