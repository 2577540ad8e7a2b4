// host.log and its like: one JSON object a line, appended, never thrown from.
import { appendFileSync, renameSync, statSync } from 'node:fs';

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

// A log that runs for months must not fill a disk: two files of this size at the most.
const maxBytes = 8 * 1024 * 1024;

export function fileLog(path: string, now: () => Date = () => new Date()): Log {
  const write = (level: string, message: string, facts: Record<string, unknown> = {}) => {
    try {
      rotate(path);
      appendFileSync(path, `${JSON.stringify({ time: now().toISOString(), level, message, ...facts })}\n`, {
        mode: 0o600,
      });
    } catch {
      // A log that cannot be written must not take anything else along.
    }
  };
  return {
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    error: (message, facts) => write('error', message, facts),
  };
}

function rotate(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(path, `${path}.1`);
}
