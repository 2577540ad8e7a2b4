// Masks known token shapes in output on its way into a recording. A secret may be cut between two pieces of output, so
// the end of a piece is held back for as long as it can still be the beginning of one, within limits that the owner
// keeps. What a program draws over several lines or writes with escape sequences inside is not known as a secret.
import { maskSecrets } from '../core/secrets.ts';

/** Longer than any token but some keys; a key that is longer is masked up to here. */
const heldCharsLimit = 24 * 1024;

/** What tokens begin with; see `shapes` in core/secrets.ts. */
const beginnings = [
  'gho_ ghp_ ghr_ ghs_ ghu_ github_pat_ npm_ pypi- sk- hf_ gsk_',
  'glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glimt- glagent-',
  'rk_live_ rk_test_ sk_live_ sk_test_ AKIA ASIA AIza ya29. dop_v1_ doo_v1_ dor_v1_',
  'SG. xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- eyJ',
].flatMap((row) => row.split(' '));

/** The last word of a text, which more text may go on. */
const lastWord = /(?<![\w+/=.-])[\w.-]{1,8000}$/;
/** What announces a secret by its name or place, with as much of it as is there. */
const announced: readonly RegExp[] = [
  /(?:secret|token|passw(?:or)?d|passphrase|(?:api|access|private)[_-]?key|credentials?)[\w"']{0,24}\s{0,4}(?:[:=]\s{0,4}["']?[^\s"']{0,400})?$/i,
  /authorization["']?\s{0,4}(?:[:=]\s{0,4}["']?(?:\w{1,6}(?:\s{1,4}[\w.~+/=-]{0,4000})?)?)?$/i,
  /[a-z][a-z0-9+.-]{1,20}:(?:\/(?:\/[^\s@/]{0,300})?)?$/i,
  /hooks\.slack\.com\/[\w/-]{0,300}$/,
];
const keyBegins = '-----BEGIN ';
const keyEnds = /-----END [A-Z0-9 ]{0,40}KEY-----/;

export class OutputMasker {
  private held = '';

  /** Does something wait for what follows it. */
  get holdsBack(): boolean {
    return this.held !== '';
  }

  /** @returns what can be recorded now. */
  push(text: string): string {
    const all = this.held + text;
    const begin = heldFrom(all);
    const from = all.length - begin > heldCharsLimit ? all.length : begin;
    this.held = all.slice(from);
    return maskSecrets(all.slice(0, from));
  }

  /** Nothing more can be waited for. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return maskSecrets(rest);
  }
}

/** Everything before this index is final. */
function heldFrom(text: string): number {
  return Math.min(wordFrom(text), announcedFrom(text), keyFrom(text));
}

function wordFrom(text: string): number {
  const word = lastWord.exec(text.slice(-8001))?.[0];
  if (word === undefined) return text.length;
  const begins = beginnings.some((each) => word.startsWith(each) || each.startsWith(word));
  return begins ? text.length - word.length : text.length;
}

function announcedFrom(text: string): number {
  const line = text.slice(Math.max(text.lastIndexOf('\n'), text.length - 4_500) + 1);
  const found = announced.map((each) => each.exec(line)?.index ?? line.length);
  const index = Math.min(...found);
  if (index === line.length) return text.length;
  // A name is more than the word that was looked for: `MY_APP_SECRET`.
  const before = /[\w.-]{0,60}$/.exec(line.slice(0, index))?.[0] ?? '';
  return text.length - (line.length - index) - before.length;
}

function keyFrom(text: string): number {
  const begin = text.lastIndexOf(keyBegins);
  if (begin >= 0 && !keyEnds.test(text.slice(begin))) return begin;
  // The line that begins a key may itself be cut.
  for (let length = Math.min(keyBegins.length - 1, text.length); length > 0; length--)
    if (text.endsWith(keyBegins.slice(0, length))) return text.length - length;
  return text.length;
}
