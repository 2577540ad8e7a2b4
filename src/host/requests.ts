// What each request of the operator socket does: finds the run, hands on, answers. No rule is kept here.
import { GatehouseError } from '../core/error.ts';
import type { Operator } from '../core/state.ts';
import { version } from '../core/version.ts';
import type { Answer } from '../engine/api.ts';
import type { Actor, OperatorMethod, OperatorResults, paramSchemas } from '../protocol/operator.ts';
import type { z } from 'zod';
import type { Registry } from './registry.ts';
import type { ClientConnection } from './client-connection.ts';

export type ClientHandlers = {
  readonly [M in OperatorMethod]: (
    params: z.output<(typeof paramSchemas)[M]>,
  ) => Promise<OperatorResults[M]> | OperatorResults[M];
};

/** What requests may do to the host as a whole. */
export interface HostFace {
  readonly registry: Registry;
  readonly home: string;
  readonly startedAt: string;
  readonly clients: number;
  stop(): Promise<void>;
}

export function makeRequests(host: HostFace, client: ClientConnection): ClientHandlers {
  const find = (id: string) => host.registry.get(id);
  return {
    'host.status': () => ({
      pid: process.pid,
      startedAt: host.startedAt,
      version,
      home: host.home,
      runs: host.registry.size,
      clients: host.clients,
    }),
    'host.stop': () => {
      // Answered before it goes.
      setImmediate(() => void host.stop());
      return { stopping: true };
    },
    'runs.list': () => ({ runs: host.registry.rows() }),
    'runs.subscribe': () => {
      client.subscribe();
      return { runs: host.registry.rows() };
    },
    'run.start': async (params) => ({ run: await host.registry.start(params) }),
    'run.show': ({ run }) => find(run).detail(),
    'run.artifact': async ({ run, name }) => {
      const found = await find(run).engine.artifact(name);
      if (found === null)
        throw new GatehouseError('file.unreadable', `${run} has no artifact ${name}`, 'gatehouse show lists them');
      return { name: found.name, sha256: found.sha256, text: found.text, previous: found.previous };
    },
    'run.diff': ({ run }) => find(run).engine.diff(),
    'run.approve': async ({ run, line, shown, signature, actor }) => {
      const operator = { ...operatorOf(actor), signature: signature ?? null };
      const { approval, stage } = accepted(await find(run).approve({ line, operator, shown }));
      return { approval, stage };
    },
    'run.feedback': async ({ run, text, round, actor }) =>
      accepted(await find(run).engine.sendBack({ text, operator: operatorOf(actor), round })),
    'run.send': async ({ run, text }) => ({ submitted: true, how: await find(run).send(text) }),
    'run.answer': async ({ run, dialog, choice }) => {
      await find(run).answerDialog(dialog, choice);
      return { answered: true };
    },
    'run.grant': async ({ run, actor }) => {
      const found = find(run);
      const { stage } = accepted(await found.engine.grant(operatorOf(actor)));
      return { stage, reviewLimit: found.summary().reviewLimit };
    },
    'run.restore': async ({ run, actor }) => {
      const { stage } = accepted(await find(run).engine.restore(operatorOf(actor)));
      return { stage };
    },
    'run.stop': async ({ run, actor }) => ({ stopped: true, leftOver: await find(run).stop(operatorOf(actor)) }),
    'run.resume': async ({ run, to, actor }) => find(run).resume(operatorOf(actor), to),
    'run.attach': ({ run, mode, cols, rows }) => find(run).attach(client, mode, { cols, rows }),
    'run.resize': async ({ run, cols, rows }) => {
      // Whoever only looks must not change what the agent sees.
      if (client.keyboardOf !== run)
        throw new GatehouseError(
          'usage.invalid',
          `only a client that is attached to ${run} for writing may resize it`,
          `gatehouse attach ${run}`,
        );
      await find(run).feed.resize(cols, rows);
      return { cols, rows };
    },
    'run.watch-screen': ({ run, cols, rows }) => {
      find(run).feed.watch(client, { cols, rows });
      return { watching: true };
    },
    'run.unwatch-screen': ({ run }) => {
      find(run).feed.unwatch(client);
      return { watching: false };
    },
  };
}

function operatorOf(actor: Actor): Operator {
  return { ...actor, signature: null };
}

/** A refusal becomes the error that the client shows, with its problems. */
function accepted<T>(answer: Answer<T>): T {
  if (answer.ok) return answer;
  const { code, message, hint, problems } = answer.rejection;
  throw new GatehouseError(code, message, hint, { details: { problems } });
}
