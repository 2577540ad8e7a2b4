// Messages of the run socket: `lattice` and runtime hooks to host, through the holder. It can ask, report and read.
import { z } from 'zod';
import type { Problem } from '../core/rejection.ts';

export const latticeSchemas = {
  status: z.strictObject({}),
  skill: z.strictObject({ name: z.string().max(100) }),
  advance: z.strictObject({}),
  check: z.strictObject({}),
  'evidence.run': z.strictObject({
    argv: z.array(z.string().max(100_000)).min(1).max(2000),
    cwd: z.string().max(4096),
    env: z.record(z.string(), z.string()).optional(),
  }),
  'evidence.add': z.strictObject({
    file: z.string().min(1).max(4096),
    kind: z.enum(['image', 'log', 'api', 'source']).optional(),
    pair: z.string().max(200).optional(),
    cwd: z.string().max(4096),
  }),
  sync: z.strictObject({}),
  footer: z.strictObject({}),
  /** A runtime's hook payload, as it came. */
  hook: z.strictObject({ runtime: z.string().max(40), event: z.unknown() }),
} as const;
export type LatticeMethod = keyof typeof latticeSchemas;

/** What `lattice` prints: `text` on standard output; a refusal is an error body with problems as details. */
export interface LatticeResult {
  readonly text: string;
  /** A hook's answer for the runtime, printed as JSON on standard output. */
  readonly json?: unknown;
  readonly exitCode?: number;
}

export interface RefusalDetails {
  readonly problems: readonly Problem[];
}
