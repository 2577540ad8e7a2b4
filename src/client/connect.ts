// How a client reaches the host of a home: connect, or start one and connect.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type Socket, createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorBody, GatehouseError } from '../core/error.ts';
import type { ProcessIdentity } from '../core/process-identity.ts';
import { readTextIfThere } from '../platform/atomic-file.ts';
import { makeHomeFolders } from '../platform/home-folders.ts';
import { type HomePaths, homePaths } from '../platform/paths.ts';
import { isSameProcess } from '../platform/process-identity.ts';
import { hostArgv } from '../platform/program-files.ts';
import { Channel } from '../protocol/channel.ts';

// A cold start of the host takes well under a second; a loaded machine needs more.
const startDeadlineMs = 20_000;
const retryMs = 25;
/** A host that lives answers at once; one that is stopped takes connections and says nothing. */
const answerDeadlineMs = 20_000;

interface OpenOptions {
  /** With false nothing is started and null says that no host runs. */
  readonly start: boolean;
  /** Ends the attempt, which then fails. */
  readonly signal?: AbortSignal | undefined;
}

/** The operator socket of a home. */
export async function openOperatorChannel(home: string, { start, signal }: OpenOptions): Promise<Channel | null> {
  const paths = homePaths(home);
  const first = await greet(paths, signal);
  if (first !== null) return first;
  if (!start) return null;
  signal?.throwIfAborted();
  const failed = startHost(paths);
  const deadline = Date.now() + startDeadlineMs;
  while (Date.now() < deadline) {
    const channel = await greet(paths, signal);
    if (channel !== null) return channel;
    if (failed()) throw await startFailure(paths);
    await delay(retryMs, undefined, { signal });
  }
  throw new GatehouseError('host.unreachable', `no host answers for ${home}`, lockHolder(paths));
}

/**
 * A connection over which a host has answered. Null when none takes connections, or the one that did has just gone.
 * @throws GatehouseError `host.unreachable` when it takes connections and does not answer.
 */
async function greet(paths: HomePaths, signal: AbortSignal | undefined): Promise<Channel | null> {
  const socket = await tryConnect(paths.operatorSocket);
  if (socket === null) return null;
  const channel = new Channel(socket);
  const giveUp = () => channel.destroy();
  signal?.addEventListener('abort', giveUp);
  let silent = false;
  const impatience = setTimeout(() => {
    silent = true;
    giveUp();
  }, answerDeadlineMs);
  try {
    await channel.request('host.status', {});
    return channel;
  } catch {
    giveUp();
    if (silent)
      throw new GatehouseError('host.unreachable', `the host of ${paths.home} does not answer`, lockHolder(paths));
    return null;
  } finally {
    clearTimeout(impatience);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Starts one without waiting; the returned function tells whether it has failed. One that finds another alive has not. */
function startHost(paths: HomePaths): () => boolean {
  makeHomeFolders(paths);
  const [program = process.execPath, ...args] = hostArgv(paths.home);
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  let failed = false;
  child.on('error', () => (failed = true));
  child.on('exit', (code) => (failed = code !== 0));
  child.unref();
  return () => failed;
}

async function startFailure(paths: HomePaths): Promise<GatehouseError> {
  const text = await readTextIfThere(paths.hostFailure);
  if (text !== null) return GatehouseError.from(JSON.parse(text) as ErrorBody);
  return new GatehouseError('host.unreachable', `the host of ${paths.home} does not start`, `see ${paths.hostLog}`);
}

function lockHolder(paths: HomePaths): string {
  try {
    const identity = JSON.parse(readFileSync(paths.hostIdentity, 'utf8')) as ProcessIdentity;
    const { pid } = identity;
    if (isSameProcess(identity))
      return `process ${pid} holds this home and does not answer: continue it (kill -CONT ${pid}) or end it (kill ${pid}); runs go on either way`;
  } catch {
    // No host has got that far yet.
  }
  return `see ${paths.hostLog}`;
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    if (!existsSync(path)) {
      resolve(null);
      return;
    }
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
}
