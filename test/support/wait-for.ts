import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long is waited for what should come at once. It only ends tests that fail: machines that run tests are busy, and a
 * shorter limit would measure them.
 */
export const patienceMs = 60_000;

interface WaitOptions {
  /** Ends the sentence "gave up waiting for ...". A function is asked only on failure, so it can show the last state. */
  readonly what: string | (() => string);
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/** Polls until `condition` gives something truthy, and gives that. A condition that throws is one that does not hold yet. */
export async function waitFor<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { what, timeoutMs = patienceMs, intervalMs = 20 } = options;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) break;
    await delay(intervalMs);
  }
  const description = typeof what === 'function' ? what() : what;
  throw new Error(`gave up waiting for ${description} (after ${timeoutMs} ms)`, { cause: lastError });
}

/** For what must not happen meanwhile, and for what is counted over a time. */
export async function elapsed(ms: number): Promise<void> {
  const from = performance.now();
  const what = 'time to pass';
  await waitFor(() => performance.now() - from >= ms, { what, timeoutMs: ms + 5_000, intervalMs: Math.min(200, ms) });
}
