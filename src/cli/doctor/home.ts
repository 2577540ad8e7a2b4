// The home directory: who may read it, room on its disk, sockets, configuration, and the host that serves it.
import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Client } from '../../client/client.ts';
import { type Config, defaultConfig } from '../../core/config.ts';
import { type ErrorBody, toErrorBody } from '../../core/error.ts';
import { version } from '../../core/version.ts';
import { readTextIfThere } from '../../platform/atomic-file.ts';
import { configuredFile, loadConfig } from '../../platform/load-config.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { isLiteralKey } from '../../platform/ssh-signature.ts';
import { size } from '../show/section.ts';
import { type Check, fail, ok, warn } from './check.ts';

// A day of one chatty run is tens of megabytes of recording; worktrees and builds come on top.
const disk = { leastBytes: 100 * 1024 * 1024, comfortableBytes: 2 * 1024 * 1024 * 1024 };
/** sun_path holds 108 bytes with the closing zero. */
const longestSocketPath = 107;
const hostAnswerMs = 5_000;
/** Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2. */
const remoteFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
]);

export async function checkHome(home: string): Promise<Check[]> {
  const there = existsSync(home);
  const place = there ? home : nearestFolder(home);
  const checks = [there ? await permissions(home) : ok('home', `${home} will be made with the first run`)];
  try {
    await access(place, constants.W_OK | constants.X_OK);
  } catch {
    return [fail('home', `${place} cannot be written`, 'name another home: --home DIR or $GATEHOUSE_HOME')];
  }
  return [...checks, await room(place)];
}

async function permissions(home: string): Promise<Check> {
  const found = await stat(home);
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  if (!found.isDirectory()) return fail('home', `${home} is not a folder`, 'name another home');
  if (found.uid !== process.getuid?.())
    return fail('home', `${home} belongs to uid ${found.uid}`, 'take it over (chown) or name another home');
  return (found.mode & 0o077) === 0
    ? ok('home', `${home}, mode ${mode}`)
    : warn('home', `${home}, mode ${mode}: others can look into it`, `chmod 700 ${home}`);
}

async function room(place: string): Promise<Check> {
  const { bavail, bsize, type, ffree, files } = await statfs(place);
  const free = bavail * bsize;
  const says = `${size(free)} free`;
  const remote = remoteFileSystems.get(type);
  const todo = `free some space on ${place}, or name a home on another disk`;
  if (free < disk.leastBytes || (files > 0 && ffree < 1000))
    return fail('disk', files > 0 && ffree < 1000 ? `${ffree} inodes free` : says, todo);
  if (remote !== undefined)
    return warn(
      'disk',
      `${says}, on ${remote}: locks and durable writes are weaker there`,
      'name a home on a local disk',
    );
  return free < disk.comfortableBytes ? warn('disk', says, todo) : ok('disk', says);
}

function nearestFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export function checkSockets(paths: HomePaths): Check {
  const run = paths.run('any');
  const longest = Math.max(
    ...[paths.operatorSocket, run.holderSocket, run.runSocket].map((each) => Buffer.byteLength(each)),
  );
  const says = `${longest} of ${longestSocketPath} bytes, in ${paths.socketDir}`;
  return longest <= longestSocketPath
    ? ok('socket paths', says)
    : fail('socket paths', says, 'set XDG_RUNTIME_DIR or TMPDIR to a shorter path');
}

export async function checkConfig(path: string): Promise<{ check: Check; config: Config }> {
  try {
    const config = await loadConfig(path);
    const missing = await missingFiles(config, dirname(path));
    if (!existsSync(path)) return { check: ok('config.json', 'none; defaults are used'), config };
    return missing.length === 0
      ? { check: ok('config.json', path), config }
      : {
          check: fail('config.json', `it names files that are not there: ${missing.join(', ')}`, `correct ${path}`),
          config,
        };
  } catch (error) {
    const { message, hint } = toErrorBody(error);
    return { check: fail('config.json', message, hint), config: defaultConfig };
  }
}

async function missingFiles(config: Config, home: string): Promise<string[]> {
  const { allowedSigners, key } = config.approvals;
  const keyFile = key === undefined || isLiteralKey(key) ? undefined : key;
  const agents = Object.values(config.agents).flatMap((agent) => [agent.instructions, ...agent.skills]);
  const named = [...agents, allowedSigners, keyFile];
  return named.filter((path) => path !== undefined).filter((path) => !existsSync(configuredFile(home, path)));
}

export async function checkHost(paths: HomePaths): Promise<Check> {
  const client = await Client.connectIfRunning(paths.home);
  if (client === null) {
    const failure = await readTextIfThere(paths.hostFailure);
    if (failure === null) return ok('host', 'none runs; the next command starts one');
    const { message, hint } = JSON.parse(failure) as ErrorBody;
    return warn('host', `the last one did not start: ${message}`, hint);
  }
  try {
    const status = await within(client.request('host.status', {}), hostAnswerMs);
    if (status === null)
      return fail(
        'host',
        'it does not answer',
        `see ${paths.hostIdentity} for its pid: continue it (kill -CONT) or end it; runs go on`,
      );
    const says = `pid ${status.pid}, version ${status.version}, ${status.runs} runs, ${status.clients} clients`;
    return status.version === version
      ? ok('host', says)
      : warn(
          'host',
          `${says}; this command is ${version}`,
          'gatehouse host stop; runs go on, and the next command starts the new one',
        );
  } finally {
    client.close();
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
