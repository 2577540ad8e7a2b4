// What kind of trouble a failed model request is in: what a person has to mend, or time.
import type { TroubleName } from './screen-view.ts';

const rateLimit = /rate.?limit|too many requests|usage limit|limit reached|hit your .*limit|free usage|quota/i;
const login = /\b(log|sign) ?in\b|unauthori[sz]ed|authenticat|api.?key|no model selected|no provider/i;

export function troubleName(text: string, status: number | null): TroubleName {
  const code = status ?? Number(/\b([45]\d\d)\b/.exec(text)?.[1] ?? 0);
  if (code === 429 || rateLimit.test(text)) return 'rate limit';
  if (code === 401 || code === 403 || login.test(text)) return 'login';
  return 'provider error';
}
