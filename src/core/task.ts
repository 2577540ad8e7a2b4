import { z } from 'zod';

export const priorities = ['low', 'normal', 'high', 'urgent'] as const;
export const prioritySchema = z.enum(priorities);
export type Priority = (typeof priorities)[number];

/** One task, as the front matter and body of a task file give it. */
export const taskSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dot, dash, underscore; 64 at most'),
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().min(1),
  labels: z.array(z.string().min(1).max(60)).max(20),
  priority: prioritySchema,
});
export type Task = z.infer<typeof taskSchema>;
