import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Client } from '../../client/client.ts';
import { GatehouseError } from '../../core/error.ts';
import { homePaths, resolveHome } from '../../platform/paths.ts';
import { exitDone, exitRefused, say, sayJson } from '../output.ts';

export async function host(homeOption: string | undefined, verb: string, options: { json?: boolean }): Promise<number> {
  const home = resolveHome(homeOption);
  switch (verb) {
    case 'status':
      return status(home, options.json ?? false);
    case 'stop':
      return stop(home);
    case 'logs':
      return logs(home);
    default:
      throw new GatehouseError('usage.invalid', `host knows no ${verb}`, 'host status, host stop or host logs');
  }
}

async function status(home: string, json: boolean): Promise<number> {
  const client = await Client.connectIfRunning(home);
  if (client === null) {
    if (json) sayJson(null);
    else say(`no host runs for ${home}; any command starts one`);
    return exitRefused;
  }
  try {
    const facts = await client.request('host.status', {});
    if (json) sayJson(facts);
    else
      say(
        `host ${facts.pid}, version ${facts.version}, since ${facts.startedAt}: ${facts.runs} runs, ${facts.clients} clients, home ${facts.home}`,
      );
    return exitDone;
  } finally {
    client.close();
  }
}

async function stop(home: string): Promise<number> {
  const client = await Client.connectIfRunning(home);
  if (client === null) {
    say('no host runs');
    return exitDone;
  }
  const gone = new Promise<void>((resolve) => client.onClose(resolve));
  await client.request('host.stop', {});
  await gone;
  say('host stopped; sessions go on, and the next command starts a host again');
  return exitDone;
}

async function logs(home: string): Promise<number> {
  const { hostLog } = homePaths(home);
  if (!existsSync(hostLog)) {
    say(`there is no ${hostLog} yet`);
    return exitRefused;
  }
  await pipeline(createReadStream(hostLog), process.stdout, { end: false });
  return exitDone;
}
