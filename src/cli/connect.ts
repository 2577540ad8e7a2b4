import { Client } from '../client/client.ts';
import { resolveHome } from '../platform/paths.ts';

/** Runs `work` with a connection to the host of a home, started when none runs. */
export async function withClient<T>(home: string | undefined, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await Client.connect(resolveHome(home));
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
