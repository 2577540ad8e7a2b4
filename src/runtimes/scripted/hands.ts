// What the agent does in the world during one turn: tool calls, `lattice`, edits. Each is shown on the screen, reported as a hook
// would, kept in the conversation and written to the truth log.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Body, pause } from './body.ts';
import type { Conversation } from './conversation.ts';
import { type ProgramResult, runProgram } from './lattice.ts';
import type { Reporter } from './reporter.ts';
import type { TruthLog } from './truth.ts';

export interface HandsParts {
  readonly body: Body;
  readonly reporter: Reporter;
  readonly conversation: Conversation;
  readonly truth: TruthLog;
  readonly tempoMs: number;
  readonly root: string;
  readonly artifacts: string;
}

export class Hands {
  readonly parts: HandsParts;
  readonly signal: AbortSignal;
  private lastStatus: string | null = null;

  constructor(parts: HandsParts, signal: AbortSignal) {
    this.parts = parts;
    this.signal = signal;
  }

  get root(): string {
    return this.parts.root;
  }

  async say(text: string): Promise<void> {
    this.parts.conversation.add({ kind: 'assistant', text });
    await this.parts.body.say(`● ${text}`, this.signal);
  }

  async lattice(...args: string[]): Promise<ProgramResult> {
    const result = await this.program(['lattice', ...args]);
    if (args[0] === 'status') this.lastStatus = result.output;
    else if (args[0] === 'advance' || args[0] === 'sync') this.lastStatus = null;
    return result;
  }

  /** What `lattice status` said last, as long as nothing has happened that could change it. */
  async status(): Promise<string> {
    return this.lastStatus ?? (await this.lattice('status')).output;
  }

  shell(command: string): Promise<ProgramResult> {
    return this.program(['sh', '-c', command], command);
  }

  async program(argv: readonly string[], shown = argv.join(' ')): Promise<ProgramResult> {
    return this.tool('bash', { command: shown }, shown, async () => {
      const result = await runProgram(argv, this.root, this.signal);
      return { ...result, output: result.output };
    });
  }

  /** Writes a file with the tool for writing; relative paths are in the worktree. */
  async write(path: string, text: string, append = false): Promise<ProgramResult> {
    const target = isAbsolute(path) ? path : join(this.root, path);
    return this.tool('write', { path: target }, path, async () => {
      try {
        mkdirSync(dirname(target), { recursive: true });
        (append ? appendFileSync : writeFileSync)(target, text);
        this.parts.truth.note({ type: 'edit', file: path, outcome: 'done' });
        return { code: 0, output: `${text.split('\n').length - 1} lines` };
      } catch (error) {
        this.parts.truth.note({ type: 'edit', file: path, outcome: String((error as NodeJS.ErrnoException).code) });
        return { code: 1, output: (error as Error).message };
      }
    });
  }

  writeArtifact(name: string, text: string): Promise<ProgramResult> {
    return this.write(join(this.parts.artifacts, name), text);
  }

  /** An artifact as it is now; empty when it is not there. */
  readArtifact(name: string): string {
    const path = join(this.parts.artifacts, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async tool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    shown: string,
    run: () => Promise<ProgramResult>,
  ): Promise<ProgramResult> {
    const { body, reporter, conversation, truth, tempoMs } = this.parts;
    this.signal.throwIfAborted();
    body.setBusy(`${name}: ${(shown.split('\n')[0] ?? '').slice(0, 40)}`);
    const refusal = await reporter.askAboutTool(name, input);
    conversation.add({ kind: 'tool', text: shown, tool: name });
    if (refusal !== null) {
      truth.note({ type: 'tool-refused', name, command: shown, reason: refusal });
      body.showTool(name, shown, refusal, 'refused');
      conversation.add({ kind: 'tool-result', text: refusal, failed: true });
      reporter.send({ type: 'tool-finished', name, failed: true });
      return { code: 1, output: refusal };
    }
    const startedAt = Date.now();
    const result = await run();
    this.signal.throwIfAborted();
    truth.note({ type: 'tool', name, command: shown, exitCode: result.code });
    const outcome = result.code === 0 ? 'done' : `exit ${result.code ?? 'by signal'}`;
    body.showTool(name, shown, result.output, `${outcome} · ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    conversation.add({ kind: 'tool-result', text: result.output.slice(0, 4000), failed: result.code !== 0 });
    reporter.send({ type: 'tool-finished', name, failed: result.code !== 0 });
    body.setBusy('Thinking');
    await pause(tempoMs, this.signal);
    return result;
  }
}
