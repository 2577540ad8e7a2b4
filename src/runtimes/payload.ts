// Reading payloads of the outside world: hook JSON of programs that change from version to version.
import { z } from 'zod';
import type { Envelope, RuntimeEvent, RuntimeEventBody } from './event.ts';

const envelopeSchema = z.object({
  gatehouse: z
    .object({
      at: z.number().int().positive(),
      sequence: z.number().int().nonnegative().nullish(),
      marker: z.string().max(200).nullish(),
    })
    .nullish()
    .catch(null),
});

/** What our own sender put next to the payload; a payload without it was heard of now. */
export function readEnvelope(payload: unknown, receivedAt: number): Envelope {
  const parsed = envelopeSchema.safeParse(payload);
  const told = parsed.success ? parsed.data.gatehouse : null;
  // A clock that runs ahead would veto every later event.
  const at = Math.min(told?.at ?? receivedAt, receivedAt);
  return { at, sequence: told?.sequence ?? null, marker: told?.marker ?? null };
}

export function told(body: RuntimeEventBody, envelope: Envelope, session: string | null): RuntimeEvent {
  return { ...body, ...envelope, session };
}

/** The longest text kept of a prompt, a message or a command. */
const longest = 20_000;

/** A string, capped; anything else is null. */
export const text = z
  .string()
  .transform((value) => value.slice(0, longest))
  .nullable()
  .catch(null);

export const record = z.record(z.string(), z.unknown()).catch({});

/** The part of a tool's arguments that a person recognises the call by. */
export function summarize(input: Readonly<Record<string, unknown>>): string {
  const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description'];
  const value = telling.map((key) => input[key]).find((each) => typeof each === 'string' || Array.isArray(each));
  const line = Array.isArray(value) ? value.join(' ') : (value ?? JSON.stringify(input));
  return String(line).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
