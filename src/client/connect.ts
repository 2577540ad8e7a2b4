// How a client reaches the host of a home: connect, or start one and connect.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Socket, createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GatehouseError } from '../core/error.ts';
import { type HomePaths, homePaths } from '../platform/paths.ts';
import { Channel } from '../protocol/channel.ts';

// A cold start of the host takes well under a second; a loaded machine needs more.
const startDeadlineMs = 20_000;
const retryMs = 25;

/** The operator socket of a home. With `start: false` nothing is started and null says that no host runs. */
export async function openOperatorChannel(home: string, options: { start: boolean }): Promise<Channel | null> {
  const paths = homePaths(home);
  const first = await tryConnect(paths.operatorSocket);
  if (first !== null) return new Channel(first);
  if (!options.start) return null;
  await startHost(paths);
  const deadline = Date.now() + startDeadlineMs;
  while (Date.now() < deadline) {
    const socket = await tryConnect(paths.operatorSocket);
    if (socket !== null) return new Channel(socket);
    await delay(retryMs);
  }
  throw new GatehouseError(
    'host.unreachable',
    `no host answers for ${home}`,
    `see ${paths.hostLog}; a host that is stopped or hangs keeps its lock: find its pid with gatehouse host status`,
  );
}

/** How a host is started; holders use the same to bring one back. */
export function hostArgv(home: string): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', distFile('host/main.js'), '--home', home];
}

async function startHost(paths: HomePaths): Promise<void> {
  await mkdir(paths.home, { recursive: true, mode: 0o700 });
  const [program = process.execPath, ...args] = hostArgv(paths.home);
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => {});
  child.unref();
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

/** A file of the build, from any place in it: the bundled console lies one level higher than the rest. */
function distFile(path: string): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const root = here.replace(/\/dist\/.*$/, '/dist/').replace(/\/src\/.*$/, '/dist/');
  return `${root}${path}`;
}
