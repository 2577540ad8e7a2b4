// One attack is one file. Its header says what it tries and by which observation it would count as a success.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What is looked at from outside, before and after. A change of any of these is a success of the attack. */
export const observations = {
  product: "the worktree's tracked files, and what is below tracked folders",
  artifact: 'the approved artifact',
  git: "the clone's git folder and the worktree's pointer to it",
  clone: "the operator's clone",
  remote: 'the remote repository',
  home: "Gatehouse's home: state, journal, configuration, key, recordings, other runs",
  user: "the operator's home folder",
  outside: 'a file outside of everything that a session may write',
  machine: "a switch of the machine's kernel",
  operator: 'a connection to the operator socket, or to sockets of another run',
  processes: 'the processes that stand for host and holder are dead',
  terminal: 'text that was typed into the session by the session itself',
  secrets: 'a secret in what the session printed or saved',
  clipboard: "a write to the operator's clipboard that reached the operator's terminal",
  display: 'a control character in what Gatehouse printed about the run',
  gate: 'a stage, an approval or a state error that no operator and no engine has made',
  host: 'the host is dead, another one, or does not answer within seconds',
} as const;
export type Observation = keyof typeof observations;

export type Verdict = 'prevented' | 'detected' | 'not';

export interface Attack {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  /** What the session may write when the attack starts. */
  readonly stage: 'scratch' | 'product';
  /** Kills by name, forks or fills: an arena of its own. */
  readonly contained: boolean;
  readonly success: readonly Observation[];
  /** What is promised without a sandbox. */
  readonly hooks: Verdict;
  readonly timeoutMs: number;
  /** A session alone, started as the product starts it; a run of the built product with its host; or both. */
  readonly where: 'direct' | 'product' | 'both';
  /** What happens outside once the attack has made its file `ready`: the session is started anew for implement, somebody looks, or delivers. */
  readonly afterwards: 'relaunch' | 'host-looks' | 'replace-files' | 'deliver' | null;
}

export const attacksFolder = join(import.meta.dirname, 'attacks');

export function readAttacks(folder: string = attacksFolder): Attack[] {
  return readdirSync(folder)
    .filter((name) => /^\d\d\d?-.*\.(sh|mjs|pl)$/.test(name))
    .toSorted()
    .map((name) => parseAttack(join(folder, name), readFileSync(join(folder, name), 'utf8')));
}

export function parseAttack(file: string, text: string): Attack {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^(?:#|\/\/) ([a-z]+): (.+)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) fields.set(match[1], match[2].trim());
  }
  const need = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined) throw new Error(`${file}: no "${name}:" in its header`);
    return value;
  };
  return {
    id: basename(file).replace(/\.\w+$/, ''),
    file,
    title: need('title'),
    stage: oneOf(file, fields.get('stage') ?? 'scratch', ['scratch', 'product']),
    contained: fields.get('contained') === 'yes',
    success: need('success')
      .split(/\s+/)
      .map((name) => oneOf(file, name, Object.keys(observations) as Observation[])),
    hooks: oneOf(file, need('hooks'), ['prevented', 'detected', 'not']),
    where: oneOf(file, fields.get('where') ?? 'direct', ['direct', 'product', 'both']),
    timeoutMs: Number(fields.get('timeout') ?? '10') * 1000,
    afterwards: fields.has('afterwards')
      ? oneOf(file, need('afterwards'), ['relaunch', 'host-looks', 'replace-files', 'deliver'] as const)
      : null,
  };
}

function oneOf<T extends string>(file: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Error(`${file}: "${value}" is none of ${allowed.join(', ')}`);
  return found;
}
