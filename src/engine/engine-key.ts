// The key that seals every journal of a home. Whoever has it can write history, so no session ever sees it.
import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { GatehouseError } from '../core/error.ts';

const keyBytes = 32;

/** Made on first use, 0600 from creation; two hosts that start at once end up with the same one. */
export async function loadEngineKey(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
  if (key.length !== keyBytes) {
    throw new GatehouseError(
      'file.unreadable',
      `${path} is not a key of ${keyBytes} bytes`,
      'put the file back from a backup; without it no run of this home can be vouched for',
    );
  }
  return key;
}
