// A task file: Markdown with front matter (id, title, labels, priority); the body is the description.
import { GatehouseError } from '../core/error.ts';
import { type Task, taskSchema } from '../core/task.ts';
import { readFrontMatter } from '../artifacts/front-matter.ts';

/** @throws GatehouseError `task.unreadable`, naming the source and the field. */
export function parseTask(text: string, source: string): Task {
  const unreadable = (why: string) =>
    new GatehouseError(
      'task.unreadable',
      `${source}: ${why}`,
      'a task file starts with front matter (---) that has id, title, labels, priority; then the description',
    );
  const matter = readFrontMatter(text);
  if (!matter.ok) throw unreadable(matter.why);
  const fields = typeof matter.data === 'object' ? matter.data : {};
  const parsed = taskSchema.safeParse({ labels: [], priority: 'normal', ...fields, description: matter.body.trim() });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(`${issue?.path.join('.') || 'front matter'}: ${issue?.message ?? 'invalid'}`);
}
