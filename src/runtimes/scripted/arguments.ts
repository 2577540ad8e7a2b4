// How the agent is started: `main --session ID [--resume] --scenario FILE [--session-dir DIR] [--control FILE] [--truth FILE] [PROMPT]`.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentArguments {
  readonly session: string;
  /** Go on with the conversation of that session; without it a session starts with nothing in its memory. */
  readonly resume: boolean;
  /** A JSON file, or the name of a scenario that ships with Gatehouse; null casts by the task. */
  readonly scenario: string | null;
  readonly sessionDir: string;
  readonly control: string | null;
  readonly truth: string | null;
  readonly prompt: string | null;
}

const valued = ['--session', '--scenario', '--session-dir', '--control', '--truth'] as const;

/** A text is what is wrong with the arguments. */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): AgentArguments | string {
  const values = new Map<string, string>();
  const words: string[] = [];
  let resume = false;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--resume') resume = true;
    else if (word === '--') {
      words.push(...argv.slice(i + 1));
      break;
    } else if (valued.some((name) => name === word)) {
      const value = argv[++i];
      if (value === undefined) return `${word} needs a value`;
      values.set(word, value);
    } else if (word.startsWith('--')) return `there is no option ${word}`;
    else words.push(word);
  }
  const session = values.get('--session') ?? randomUUID();
  if (!/^[\w.-]{1,100}$/.test(session)) return 'a session id has letters, digits, dot, dash and underscore';
  return {
    session,
    resume,
    scenario: values.get('--scenario') ?? null,
    sessionDir:
      values.get('--session-dir') ??
      env['GATEHOUSE_RUNTIME_DIR'] ??
      join(tmpdir(), `scripted-agent-${process.getuid?.() ?? 0}`),
    control: values.get('--control') ?? null,
    truth: values.get('--truth') ?? null,
    prompt: words.length === 0 ? null : words.join(' '),
  };
}
