// Signatures made with an SSH key, by ssh-keygen -Y, as git uses them. Format and rules: ssh-keygen(1), ALLOWED SIGNERS.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from './exec.ts';

export type SshSignResult =
  | { readonly ok: true; readonly armored: string }
  | { readonly ok: false; readonly reason: string };

export interface SshSignRequest {
  /** File of a private key, or of a public key whose private half an agent holds; or `key::` and a public key, as in git. */
  readonly key: string;
  readonly namespace: string;
  readonly text: string;
  /** Default: true. Without it ssh-keygen has no terminal at which it could ask for a passphrase. */
  readonly atTerminal?: boolean;
}

export type SshVerifyResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface SshVerifyRequest {
  readonly allowedSigners: string;
  readonly principal: string;
  readonly namespace: string;
  readonly text: string;
  readonly armored: string;
}

const begin = '-----BEGIN SSH SIGNATURE-----';
/** Largest armored signature of any key type, several times over. */
const longestSignature = 16_384;
// A person may have to type a passphrase or touch a key.
const signTimeoutMs = 120_000;
const verifyTimeoutMs = 10_000;

/** The public key itself instead of a file; an agent holds the private half. */
export function isLiteralKey(key: string): boolean {
  return /^(key::|ssh-|ecdsa-|sk-)/.test(key);
}

/** Asks for a passphrase at the terminal where the key has one and no agent holds it. */
export async function signWithSsh({ key, namespace, text, atTerminal = true }: SshSignRequest): Promise<SshSignResult> {
  return withPrivateFolder(async (folder) => {
    const file = isLiteralKey(key) ? join(folder, 'key.pub') : key;
    if (file !== key) await writeFile(file, `${key.replace(/^key::/, '')}\n`, { mode: 0o600 });
    const signed = await exec('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', file], {
      input: text,
      timeoutMs: signTimeoutMs,
      // A session of its own has no terminal.
      endGroup: !atTerminal,
    });
    if (signed.exitCode === 0 && signed.stdout.startsWith(begin)) return { ok: true, armored: signed.stdout };
    return { ok: false, reason: reasonOf(signed.stderr, 'ssh-keygen did not sign') };
  });
}

export async function verifySsh(request: SshVerifyRequest): Promise<SshVerifyResult> {
  const { allowedSigners, principal, namespace, text, armored } = request;
  if (!armored.startsWith(begin) || armored.length > longestSignature)
    return { ok: false, reason: 'it is no SSH signature' };
  return withPrivateFolder(async (folder) => {
    const signature = join(folder, 'signature');
    await writeFile(signature, armored, { mode: 0o600 });
    const args = ['-q', '-Y', 'verify', '-f', allowedSigners, '-I', principal, '-n', namespace, '-s', signature];
    const checked = await exec('ssh-keygen', args, { input: text, timeoutMs: verifyTimeoutMs });
    if (checked.exitCode === 0) return { ok: true };
    return { ok: false, reason: reasonOf(checked.stderr, `no key of ${principal} made it for this`) };
  });
}

async function withPrivateFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sign-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reasonOf(stderr: string, otherwise: string): string {
  const line = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? otherwise : line;
}
