// `node host/main.js --home DIR`: the background process of one home. Composition only.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toErrorBody } from '../core/error.ts';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { makeHomeFolders } from '../platform/home-folders.ts';
import { fileLog } from '../platform/log.ts';
import { homePaths, resolveHome } from '../platform/paths.ts';
import { identify } from '../platform/process-identity.ts';
import { Host } from './host.ts';
import { loadConfig } from '../platform/load-config.ts';
import { acquireHostLock } from './lock.ts';

const { values } = parseArgs({ options: { home: { type: 'string' } } });
const paths = homePaths(resolveHome(values.home));
const log = fileLog(paths.hostLog);
try {
  makeHomeFolders(paths);
  const lock = acquireHostLock(paths.hostLock);
  // Another host of this home is alive, if only just: whoever started us will reach that one.
  if (lock === null) process.exit(0);

  rmSync(paths.hostFailure, { force: true });
  const config = await loadConfig(paths.config);
  const host = await Host.start({ paths, config, log, pid: process.pid, lock });
  process.on('uncaughtException', (error) => log.error('uncaught', { error: String(error), stack: error.stack }));
  process.on('unhandledRejection', (error) =>
    log.error('unhandled', { error: String(error), stack: (error as Error)?.stack }),
  );
  // Terminals close and people log out; runs and their host go on.
  process.on('SIGHUP', () => {});
  const stop = () => void host.stop().finally(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  host.onStopped(() => process.exit(0));
  await writeFileAtomic(paths.hostIdentity, JSON.stringify({ ...identify(process.pid), startedAt: host.startedAt }));
} catch (error) {
  log.error('the host did not start', { error: String(error), stack: (error as Error).stack });
  await writeFileAtomic(paths.hostFailure, JSON.stringify(toErrorBody(error))).catch(() => {});
  process.exit(1);
}
