import { inertLine } from '../../core/inert.ts';
import type { Paint } from '../paint.ts';
import { rows } from '../show/section.ts';
import type { Check } from './check.ts';

export function renderDoctor(checks: readonly Check[], paint: Paint): string {
  const status = { ok: paint.green('ok'), warn: paint.yellow('warn'), fail: paint.red('FAIL') };
  // Laid out before the advice is put between: advice lines are long and belong to one check.
  const lines = rows(checks.map((check) => [status[check.status], check.name, inertLine(check.says)]));
  const body = checks.flatMap((check, index) => {
    const line = lines[index] ?? '';
    return check.todo === '' ? [line] : [line, `      -> ${inertLine(check.todo)}`];
  });
  return [...body, '', summary(checks)].join('\n');
}

function summary(checks: readonly Check[]): string {
  const failed = checks.filter((check) => check.status === 'fail').map((check) => check.name);
  const warned = checks.filter((check) => check.status === 'warn').length;
  if (failed.length > 0) return `runs cannot work here until this is put right: ${failed.join(', ')}`;
  return warned === 0 ? 'everything is there' : `runs work here; ${warned} thing${warned === 1 ? '' : 's'} to look at`;
}
