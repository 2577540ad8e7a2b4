// The approval line: `1A 2B [START DEVELOPMENT]`. Matching is exact; there is no near miss that opens a gate,
// but every near miss is named, so that the operator knows what to type.
import type { Decision } from './decision.ts';
import type { GateName } from './stage.ts';

export interface Tokens {
  readonly development: string;
  readonly testing: string;
}

export const defaultTokens: Tokens = { development: '[START DEVELOPMENT]', testing: '[SUBMIT FOR TESTING]' };

/** decision id -> option id */
export type Choices = Readonly<Record<string, string>>;

export type LineVerdict =
  | { readonly ok: true; readonly choices: Choices }
  | { readonly ok: false; readonly code: 'gate.token-mismatch' | 'gate.choices-incomplete'; readonly why: string };

/** The line that would open the gate with the recommended options; shown as an example, never prefilled. */
export function exampleLine(gate: GateName, tokens: Tokens, decisions: readonly Decision[]): string {
  const choices = gate === 'development' ? decisions.map((d) => `${d.id}${d.recommended}`) : [];
  return [...choices, tokens[gate]].join(' ');
}

export function judgeLine(line: string, gate: GateName, tokens: Tokens, decisions: readonly Decision[]): LineVerdict {
  const token = tokens[gate];
  const mismatch = (why: string): LineVerdict => ({ ok: false, code: 'gate.token-mismatch', why });
  const incomplete = (why: string): LineVerdict => ({ ok: false, code: 'gate.choices-incomplete', why });

  if (!line.endsWith(token)) return mismatch(explainMismatch(line, gate, tokens));
  const head = line.slice(0, line.length - token.length);
  const open = gate === 'development' ? decisions : [];
  if (head === '') return open.length === 0 ? { ok: true, choices: {} } : incomplete(missing(open, {}));
  if (!head.endsWith(' ')) return mismatch(`a single space must stand before ${token}`);

  const choices: Record<string, string> = {};
  for (const word of head.slice(0, -1).split(' ')) {
    if (word === '') return mismatch('the parts are separated by single spaces, and nothing stands before the first');
    const match = /^([1-9][0-9]?)([A-Z])$/.exec(word);
    if (match === null)
      return mismatch(`"${word}" is not a choice like 1A, and nothing else may stand before ${token}`);
    const [, id = '', option = ''] = match;
    const decision = open.find((d) => d.id === id);
    if (decision === undefined) return incomplete(`there is no open decision ${id}`);
    if (!decision.options.some((o) => o.id === option)) {
      return incomplete(
        `decision ${id} has no option ${option}; it has ${decision.options.map((o) => o.id).join(', ')}`,
      );
    }
    if (choices[id] !== undefined) return incomplete(`decision ${id} is chosen twice`);
    choices[id] = option;
  }
  const lacking = open.filter((d) => choices[d.id] === undefined);
  return lacking.length === 0 ? { ok: true, choices } : incomplete(missing(lacking, choices));
}

function missing(lacking: readonly Decision[], given: Choices): string {
  const names = lacking.map((d) => d.id).join(', ');
  const one = lacking.length === 1;
  return `decision${one ? '' : 's'} ${names} ha${one ? 's' : 've'} no choice${Object.keys(given).length === 0 ? '; every open decision needs one' : ''}`;
}

function explainMismatch(line: string, gate: GateName, tokens: Tokens): string {
  const token = tokens[gate];
  const other = tokens[gate === 'development' ? 'testing' : 'development'];
  if (line.trim() === '') return `nothing was typed; the token is ${token}`;
  if (line.includes(other)) return `${other} belongs to the other gate; this one opens with ${token}`;
  if (line.trimEnd().endsWith(token)) return `nothing may stand after ${token}, not even a space`;
  if (line.includes(token)) return `nothing may stand after ${token}`;
  if (line.toLowerCase().includes(token.toLowerCase())) return `the token is exact, capital letters included: ${token}`;
  if (line.normalize('NFKC').includes(token.normalize('NFKC')))
    return `the token is exact, its form of brackets and letters included: ${token}`;
  const bare = token.replace(/[[\]【】]/g, '');
  if (bare !== '' && line.toLowerCase().includes(bare.toLowerCase()))
    return `the token is exact, brackets included: ${token}`;
  return `only the exact token opens this gate: ${token}`;
}
