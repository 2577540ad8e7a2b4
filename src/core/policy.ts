// What a repository says about itself: gatehouse.json at its root, or an entry in config.json.
import { z } from 'zod';
import type { Priority } from './task.ts';

export const policyFile = 'gatehouse.json';

export const policySchema = z.strictObject({
  testCommand: z.string().trim().min(1),
  /** Installs what the tests need into a clean checkout; with it the tests are run once more in one, before delivery. */
  setupCommand: z.string().trim().min(1).nullable().default(null),
  branches: z
    .strictObject({ urgent: z.string().optional(), high: z.string().optional(), integration: z.string().optional() })
    .default({}),
  developmentBranch: z.string().optional(),
  sync: z.enum(['merge', 'rebase']).default('merge'),
  terminology: z.array(z.string()).default([]),
  previewUrl: z.string().nullable().default(null),
});
export type Policy = z.infer<typeof policySchema>;

/**
 * Branch names to try for a priority, best first. An urgent fix starts from `main`, a high one from `staging`,
 * everything else from the integration branch; the repository may name others.
 */
export function baselineCandidates(
  priority: Priority,
  policy: Pick<Policy, 'branches'>,
  defaultBranch: string,
): string[] {
  const integration = policy.branches.integration ?? defaultBranch;
  if (priority === 'urgent') return [policy.branches.urgent ?? 'main'];
  if (priority === 'high') return [policy.branches.high ?? 'staging'];
  return [integration];
}

/** The branch that approved work is merged into. */
export function developmentBranch(
  policy: Pick<Policy, 'branches' | 'developmentBranch'>,
  defaultBranch: string,
): string {
  return policy.developmentBranch ?? policy.branches.integration ?? defaultBranch;
}
