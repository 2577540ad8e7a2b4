// Runs the steps of a script one after the other and says which one is running and how long it took.
import { spawnSync } from 'node:child_process';

export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** True when every step ended with exit code 0. With `keepGoing`, later steps run after a failed one. */
export function runSteps(script: string, steps: readonly Step[], { keepGoing = false } = {}): boolean {
  let ok = true;
  for (const step of steps) {
    if (!runStep(script, step)) {
      ok = false;
      if (!keepGoing) return false;
    }
  }
  return ok;
}

function runStep(script: string, { name, command, env }: Step): boolean {
  process.stdout.write(`${script}: ${name} ...\n`);
  const startedAt = performance.now();
  const [program, ...args] = command;
  const result = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (result.error) process.stdout.write(`${script}: ${program}: ${result.error.message}\n`);
  const ok = result.status === 0;
  process.stdout.write(`${script}: ${name} ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  return ok;
}
