import type { z } from 'zod';

/** Where something does not parse, and why, in one line: `testCommand: expected string`. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue?.path.join('.') || 'top level'}: ${issue?.message ?? 'invalid'}`;
}
