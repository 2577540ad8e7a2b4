// Credentials in text that leaves the place it was written in: masked by their known shapes and by the names before them.
// A guess by nature: it misses what looks like nothing, so whoever shares text still looks at it.

export const maskedSecret = '[masked]';

/**
 * Tokens that can be told by their own look. Lengths are bounded, so that no text makes a search slow, and none begins in
 * the middle of base64: an image or a hash would else hold a "token" now and then.
 */
const shapes: readonly RegExp[] = [
  // GitHub, GitLab, npm, PyPI.
  /(?<![\w+/=.-])gh[opusr]_[A-Za-z0-9]{36,255}/g,
  /(?<![\w+/=.-])github_pat_[A-Za-z0-9_]{22,255}/g,
  /(?<![\w+/=.-])gl(?:pat|dt|rt|ptt|cbt|ft|soat|imt|agent)-[\w-]{20,100}/g,
  /(?<![\w+/=.-])npm_[A-Za-z0-9]{36}/g,
  /(?<![\w+/=.-])pypi-[\w-]{32,300}/g,
  // Model providers and payment. A bare `sk-` also begins names of style classes, which have no digit-rich single word.
  /(?<![\w+/=.-])sk-(?:ant|proj|svcacct|admin|None|or-v1)-[\w-]{20,250}/g,
  /(?<![\w+/=.-])sk-(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,250}(?![\w-])/g,
  /(?<![\w+/=.-])(?:hf|gsk)_[A-Za-z0-9]{34,64}(?![A-Za-z0-9])/g,
  /(?<![\w+/=.-])[rs]k_(?:live|test)_[A-Za-z0-9]{16,100}/g,
  // Clouds, mail and chat.
  /(?<![\w+/=.-])(?:AKIA|ASIA)[A-Z2-7]{16}(?![\w+/=])/g,
  /(?<![\w+/=.-])AIza[\w-]{35}(?![\w-])/g,
  /(?<![\w+/=.-])ya29\.[\w-]{20,250}/g,
  /(?<![\w+/=.-])do[opr]_v1_[a-f0-9]{64}/g,
  /(?<![\w+/=.-])SG\.[\w-]{22}\.[\w-]{43}/g,
  /(?<![\w+/=.-])xox[abeoprs]-[\w-]{10,250}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]{20,250}/g,
  // JSON web tokens.
  /(?<![\w+/=.-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}/g,
];

const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:(?!-----END)[\w+/=\s\\:,.-]){0,20000}(?:-----END [A-Z0-9 ]{0,40}KEY-----)?/g;
const authorization = /\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[\w.~+/=-]{8,4000}/gi;
const addressPassword = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,200}(?=@)/gi;
/** `DB_PASSWORD=x`, as in env files and logs: whatever stands there, unless it is a variable. */
const environment =
  /\b([A-Z0-9_]{0,60}(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=["']?)[^\s"'$[]{1}[^\s"']{3,400}/g;
/** `"apiKey": "a1..."`, `password: a1...`: only what looks random, since source code says `token: string` as well. */
const named =
  /\b([\w.-]{0,60}(?:secret|token|password|passwd|passphrase|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)(?=[\w+/=.~-]{0,200}\d)(?=[\w+/=.~-]{0,200}[A-Za-z])[\w+/=.~-]{16,200}/gi;

/** The same text with what looks like a credential replaced; doing it twice changes nothing more. */
export function maskSecrets(text: string): string {
  let masked = text.replace(privateKey, maskedSecret);
  for (const shape of shapes) masked = masked.replace(shape, maskedSecret);
  for (const withName of [authorization, addressPassword, environment, named])
    masked = masked.replace(withName, `$1${maskedSecret}`);
  return masked;
}

/** Names of git objects and sha256 sums are no secrets, and everything on record is tied together by them. */
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Masks every text within a value. The same object when nothing in it changed. */
export function maskStrings<T>(value: T, mask: (text: string) => string = maskSecrets): T {
  if (typeof value === 'string') return (hash.test(value) ? value : mask(value)) as T;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => maskStrings(item, mask));
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, maskMember(key, item as unknown, mask)] as const);
  const same = entries.every(([key, item]) => item === (value as Record<string, unknown>)[key]);
  return same ? value : (Object.fromEntries(entries) as T);
}

/** A member's name counts, as it does in text: `{"apiKey": "..."}`. */
function maskMember(key: string, item: unknown, mask: (text: string) => string): unknown {
  const masked = maskStrings(item, mask);
  if (typeof item !== 'string' || masked !== item || hash.test(item)) return masked;
  const assigned = `${key}="${item}"`;
  return mask(assigned) === assigned ? item : maskedSecret;
}
