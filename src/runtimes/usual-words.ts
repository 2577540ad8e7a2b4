// Words that most agent programs use in the dialogs of a start. A guess: only for programs that nobody here knows, and
// for starts that have failed.
import type { DialogName } from './screen-view.ts';

const place = '(folder|directory|workspace|project|repository|files)';
const words: readonly { readonly name: DialogName; readonly pattern: RegExp }[] = [
  { name: 'trust', pattern: new RegExp(`\\btrust\\b[^]*\\b${place}\\b|\\b${place}\\b[^]*\\btrust`, 'i') },
  { name: 'login', pattern: /\b(log|sign)[ -]?in\b|\bapi.?key\b|\bauthenticat|\baccess token\b/i },
  { name: 'update', pattern: /\b(update|upgrade|new version)\b[^]*\b(available|now|skip|later|install)\b/i },
  { name: 'theme', pattern: /\b(theme|text style)\b/i },
  { name: 'rate limit', pattern: /\b(rate|usage) limit\b/i },
];

export function usualDialogName(text: string): DialogName | null {
  return words.find((each) => each.pattern.test(text))?.name ?? null;
}
