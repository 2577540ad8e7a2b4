// The asciicast format, versions 2 and 3 (https://docs.asciinema.org/manual/asciicast/v3/): one event model, lines in and out.
// No file, no clock.

/** `o` output, `i` input, `r` resize, `m` marker, `x` exit; anything else in a file is skipped. */
export type CastCode = 'o' | 'i' | 'r' | 'm' | 'x';

export interface CastHeader {
  readonly version: 2 | 3;
  readonly cols: number;
  readonly rows: number;
  /** Unix time of the beginning in seconds. */
  readonly timestamp: number | null;
  readonly title: string | null;
}

export interface CastEvent {
  readonly code: CastCode;
  readonly data: string;
  /** From the beginning of the recording. */
  readonly timeMs: number;
  /** Byte offset of the line, and of what follows it. */
  readonly offset: number;
  readonly end: number;
}

export function encodeHeader(header: { cols: number; rows: number; timestamp: number; title?: string }): string {
  const { cols, rows, timestamp, title } = header;
  const term = { cols, rows, type: 'xterm-256color' };
  return `${JSON.stringify({ version: 3, term, timestamp, ...(title === undefined ? {} : { title }) })}\n`;
}

/** Version 3 counts time from the event before. */
export function encodeEvent(intervalMs: number, code: CastCode, data: string): string {
  return `[${(intervalMs / 1000).toFixed(3)}, "${code}", ${JSON.stringify(data)}]\n`;
}

/** @returns null when the line is no header of a version that we read. */
export function parseHeader(line: string): CastHeader | null {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = value as Record<string, unknown>;
  const term = (fields.term ?? {}) as Record<string, unknown>;
  const version = fields.version;
  const [cols, rows] = version === 3 ? [term.cols, term.rows] : [fields.width, fields.height];
  if ((version !== 2 && version !== 3) || !isSize(cols) || !isSize(rows)) return null;
  return {
    version,
    cols,
    rows,
    timestamp: typeof fields.timestamp === 'number' ? fields.timestamp : null,
    title: typeof fields.title === 'string' ? fields.title : null,
  };
}

/** @returns null when the line is not an event. `seconds` is relative in version 3, absolute in version 2. */
export function parseEvent(line: string): { seconds: number; code: string; data: string } | null {
  const value = parseJson(line);
  if (!Array.isArray(value)) return null;
  const [seconds, code, data] = value as unknown[];
  if (typeof seconds !== 'number' || typeof code !== 'string') return null;
  return { seconds, code, data: typeof data === 'string' ? data : '' };
}

export function isCastCode(code: string): code is CastCode {
  return code === 'o' || code === 'i' || code === 'r' || code === 'm' || code === 'x';
}

export function parseSize(data: string): { cols: number; rows: number } | null {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(data);
  if (match === null) return null;
  const [cols, rows] = [Number(match[1]), Number(match[2])];
  return isSize(cols) && isSize(rows) ? { cols, rows } : null;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 10_000;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
