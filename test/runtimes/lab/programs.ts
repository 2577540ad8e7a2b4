// The pinned agent programs, in a cache outside of the repository: together about 2 GB, installed once.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exec } from '../../../src/platform/exec.ts';

const pinned = {
  bun: '1.4.5',
  '@oh-my-pi/pi-coding-agent': '18.2.3',
  '@anthropic-ai/claude-code': '2.1.332',
  '@openai/codex': '0.171.0',
  'opencode-ai': '1.18.33',
} as const;

export const runtimeCache =
  process.env['GATEHOUSE_RUNTIME_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gatehouse-runtimes');
const installation = join(runtimeCache, 'programs');
export const programFolder = join(installation, 'node_modules', '.bin');

const installLimitMs = 20 * 60_000;
const manifest = `${JSON.stringify({ name: 'gatehouse-runtimes', private: true, dependencies: pinned }, null, 2)}\n`;
const stamp = join(installation, 'installed.json');

/** @returns what is wrong, or null when all programs are there. */
export async function installPrograms(say: (line: string) => void): Promise<string | null> {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return null;
  mkdirSync(installation, { recursive: true });
  writeFileSync(join(installation, 'package.json'), manifest);
  say(`installing ${Object.keys(pinned).length - 1} agent programs and bun into ${installation}; some minutes`);
  const startedAt = performance.now();
  const ticker = setInterval(() => say(`... ${Math.round((performance.now() - startedAt) / 1000)} s`), 20_000);
  const result = await exec('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: installation,
    timeoutMs: installLimitMs,
  });
  clearInterval(ticker);
  if (result.exitCode !== 0) return `npm install failed: ${(result.stderr || result.stdout).trim().split('\n').at(-1)}`;
  writeFileSync(stamp, manifest);
  say(`installed in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return null;
}
