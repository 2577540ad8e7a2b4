// The terminal this was called from. Pure: facts in, checks out.
import { type Check, fail, ok, warn } from './check.ts';

export interface TerminalFacts {
  readonly isTTY: boolean;
  readonly cols: number;
  readonly rows: number;
  /** Bits: 1, 4, 8 or 24. */
  readonly colourDepth: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const least = { cols: 80, rows: 24 };

export function terminalFacts(): TerminalFacts {
  const { stdout } = process;
  return {
    isTTY: stdout.isTTY === true,
    cols: stdout.columns ?? 0,
    rows: stdout.rows ?? 0,
    colourDepth: stdout.isTTY ? stdout.getColorDepth() : 1,
    env: process.env,
  };
}

export function checkTerminal(facts: TerminalFacts): Check[] {
  return [facts.isTTY ? size(facts) : ok('terminal', 'standard output is none; not looked at'), locale(facts.env)];
}

function size({ cols, rows, colourDepth, env }: TerminalFacts): Check {
  const term = env.TERM ?? '';
  const says = `${term || 'TERM is not set'}, ${cols}x${rows}, ${colours(colourDepth, env)}`;
  if (term === '' || term === 'dumb')
    return fail('terminal', says, 'the console needs a terminal that obeys escape sequences; commands work without');
  if (cols < least.cols || rows < least.rows)
    return warn('terminal', says, `make it ${least.cols}x${least.rows} or larger`);
  return ok('terminal', says);
}

function colours(depth: number, env: TerminalFacts['env']): string {
  if (env.NO_COLOR) return 'no colours (NO_COLOR)';
  return depth === 24 ? '16 million colours' : `${2 ** depth} colours`;
}

/** As the C library does: the first of the three that is set counts. */
function locale(env: TerminalFacts['env']): Check {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((each) => env[each]);
  const value = name === undefined ? '' : (env[name] ?? '');
  const says = name === undefined ? 'no locale is set' : `${name}=${value}`;
  return /utf-?8/i.test(value)
    ? ok('locale', says)
    : warn('locale', `${says}: agents may draw boxes and letters wrongly`, 'export LANG=C.UTF-8');
}
