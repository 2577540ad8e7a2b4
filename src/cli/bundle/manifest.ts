// manifest.json of a bundle: every file with its hash, and what was changed on the way in.
import { z } from 'zod';

export const manifestName = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const bundledFileSchema = z.strictObject({
  /** Below the run's folder, with `/`. */
  path: z.string().min(1),
  sizeBytes: z.number().int().nonnegative(),
  /** Of the file as it is in the bundle. */
  sha256,
  /** Secrets were masked; what the file on disk was. */
  original: z.strictObject({ sha256, sizeBytes: z.number().int().nonnegative() }).nullable(),
});
export type BundledFile = z.infer<typeof bundledFileSchema>;

export const manifestSchema = z.strictObject({
  format: z.literal('gatehouse-bundle'),
  version: z.literal(1),
  run: z.string().min(1),
  createdAt: z.string(),
  gatehouse: z.string(),
  /** Were secrets looked for. */
  masking: z.enum(['on', 'off']),
  /** What the journal's chain looked like on disk. Says more than the bundle can when the journal had to be masked. */
  journal: z.strictObject({
    entries: z.number().int().nonnegative(),
    head: z.string().nullable(),
    fault: z.string().nullable(),
  }),
  files: z.array(bundledFileSchema),
  /** What was left out, and why. */
  notes: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;
