// The hands of a scripted worker whose tool calls are made by a real agent program: what it wants done becomes a tool
// call of the model, and the call's result comes back with the next request.
import { dirname, isAbsolute, relative } from 'node:path';
import type { Conversation } from '../../../src/runtimes/scripted/conversation.ts';
import { Hands, type HandsParts } from '../../../src/runtimes/scripted/hands.ts';
import type { ProgramResult } from '../../../src/runtimes/scripted/lattice.ts';
import { shellQuote } from '../../../src/runtimes/shell-quote.ts';

export interface RunFolders {
  readonly worktree: string;
  readonly artifacts: string;
}

/** Runs a shell line through the agent; gives everything that came back. */
export type Shell = (line: string) => Promise<string>;

export class RemoteHands extends Hands {
  private readonly ask: Shell;

  constructor(ask: Shell, folders: RunFolders, conversation: Conversation) {
    // There is no screen, and nobody to report to: the agent program has both.
    const parts = { conversation, root: folders.worktree, artifacts: folders.artifacts, tempoMs: 0 };
    super(parts as HandsParts, new AbortController().signal);
    this.ask = ask;
  }

  override say(): Promise<void> {
    return Promise.resolve();
  }

  override program(argv: readonly string[]): Promise<ProgramResult> {
    const [program, flag, line] = argv;
    const isLine = program === 'sh' && flag === '-c' && line !== undefined && argv.length === 3;
    return this.line(isLine ? line : argv.map(shellQuote).join(' '));
  }

  override write(path: string, text: string, append = false): Promise<ProgramResult> {
    const target = this.named(path);
    const folder = dirname(target);
    const body = text.endsWith('\n') ? text : `${text}\n`;
    const make = folder === '.' || folder.startsWith('$') ? '' : `mkdir -p "${folder}" && `;
    return this.line(`${make}cat ${append ? '>>' : '>'} "${target}" <<'END_OF_TEXT'\n${body}END_OF_TEXT`);
  }

  /** As an agent would write it: artifacts by their variable, the rest as seen from the worktree. */
  private named(path: string): string {
    const { root, artifacts } = this.parts;
    if (!isAbsolute(path)) return path;
    const artifact = relative(artifacts, path);
    return artifact.startsWith('..') ? relative(root, path) : `$GATEHOUSE_ARTIFACTS/${artifact}`;
  }

  private async line(line: string): Promise<ProgramResult> {
    const output = await this.ask(`{ ${line}\n} 2>&1; echo "[exit $?]"`);
    const code = /\[exit (\d+)\]/.exec(output)?.[1];
    return { code: code === undefined ? null : Number(code), output: output.replace(/\[exit \d+\]/, '') };
  }
}
