import type { Problem } from '../../core/rejection.ts';
import { draftDecisions, type DraftDecision } from '../decisions.ts';
import { lineOf, problem, saysNone, type Scope } from '../scope.ts';

/** Decisions are numbered from 1, have options lettered from A, at least two, and one of them is recommended. */
export function checkDecisions(scope: Scope): Problem[] {
  if (scope.section === null || saysNone(scope)) return [];
  const decisions = draftDecisions(scope.document, scope.section);
  if (decisions.length === 0) {
    return [
      problem(
        scope,
        lineOf(scope),
        'decisions-missing',
        '"Decisions" needs `### 1. Question` with options, or the word None when nothing is left to decide',
      ),
    ];
  }
  return decisions.flatMap((decision, index) => checkDecision(scope, decision, index));
}

function checkDecision(scope: Scope, decision: DraftDecision, index: number): Problem[] {
  const found: Problem[] = [];
  const say = (line: number, rule: string, message: string): void =>
    void found.push(problem(scope, line, rule, message));
  const wanted = String(index + 1);
  if (decision.id !== wanted)
    say(
      decision.line,
      'decision-number',
      `decisions are numbered 1, 2, 3 in order: this heading must read \`### ${wanted}. Question\``,
    );
  if (decision.question === '') say(decision.line, 'decision-question', 'write the question after the number');
  if (decision.options.length < 2)
    say(decision.line, 'decision-options', 'a decision needs at least two options, each `- A: text`');
  decision.options.forEach((option, at) => {
    const letter = String.fromCharCode(65 + at);
    if (option.id !== letter)
      say(option.line, 'decision-option-letter', `options are lettered A, B, C in order: this one must be ${letter}`);
  });
  if (decision.recommended === null)
    say(decision.line, 'decision-recommendation', 'recommend one option on a line of its own: `Recommended: A`');
  else if (!decision.options.some((o) => o.id === decision.recommended)) {
    say(decision.line, 'decision-recommendation', `option ${decision.recommended} is recommended but not offered`);
  }
  return found;
}
