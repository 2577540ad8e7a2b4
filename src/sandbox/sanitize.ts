// Settings files without what is secret in them. Pure. What is kept, is kept as it was written.
import type { Sanitizer } from './credentials.ts';

export function sanitize(kind: Sanitizer, text: string): string {
  switch (kind) {
    case 'git-config':
      return sanitizeGitConfig(text);
    case 'npmrc':
      return withoutUrlCredentials(dropLines(text, /^\s*("?)[^#;=\s]*(_auth|authtoken|_password|username|otp)\b/i));
    case 'yarnrc':
      return withoutUrlCredentials(dropLines(text, /^\s*(- )?"?(npmAuthToken|npmAuthIdent)"?\s*:/i));
  }
}

/** Without `[credential]` sections, headers and key files that log in, and user names and passwords in URLs. */
export function sanitizeGitConfig(text: string): string {
  const kept: string[] = [];
  let inCredentialSection = false;
  let continues = false;
  let dropping = false;
  for (const line of text.split('\n')) {
    if (!continues) {
      const section = /^\s*\[\s*([^\s"\]]+)/.exec(line)?.[1];
      if (section !== undefined) inCredentialSection = /^credential(\.|$)/i.test(section);
      // A key may stand on the line of its section's header.
      const rest = section === undefined ? line : line.replace(/^\s*\[(?:"(?:\\.|[^"\\])*"|[^\]"])*\]/, '');
      dropping = inCredentialSection || secretKey.test(rest);
    }
    continues = /(^|[^\\])(\\\\)*\\$/.test(line);
    if (!dropping) kept.push(line);
  }
  return withoutUrlCredentials(kept.join('\n'));
}

const secretKey =
  /^\s*(extraheader|cookiefile|sslkey|sslcert|sslcertpasswordprotected|smtppass|smtpuser|password|token|oauthtoken|pass|askpass|sshcommand)\b/i;

function withoutUrlCredentials(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1');
}

function dropLines(text: string, secret: RegExp): string {
  return text
    .split('\n')
    .filter((line) => !secret.test(line))
    .join('\n');
}
