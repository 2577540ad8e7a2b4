// One line of `gatehouse doctor`.

export type CheckStatus = 'ok' | 'warn' | 'fail';

export interface Check {
  readonly name: string;
  /** `fail`: runs cannot work here. `warn`: they can, but something is missing or will surprise. */
  readonly status: CheckStatus;
  readonly says: string;
  /** What to do; empty when there is nothing to do. */
  readonly todo: string;
}

export const ok = (name: string, says: string): Check => ({ name, status: 'ok', says, todo: '' });
export const warn = (name: string, says: string, todo: string): Check => ({ name, status: 'warn', says, todo });
export const fail = (name: string, says: string, todo: string): Check => ({ name, status: 'fail', says, todo });
