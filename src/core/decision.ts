import { z } from 'zod';

export const optionSchema = z.strictObject({ id: z.string().regex(/^[A-Z]$/), text: z.string().min(1) });

/** A question that a person has to settle before development; `chosen` is set by the approval. */
export const decisionSchema = z.strictObject({
  id: z.string().regex(/^[1-9][0-9]?$/),
  question: z.string().min(1),
  options: z.array(optionSchema).min(2).max(26),
  recommended: z.string().regex(/^[A-Z]$/),
  chosen: z
    .string()
    .regex(/^[A-Z]$/)
    .nullable(),
});
export type Decision = z.infer<typeof decisionSchema>;
