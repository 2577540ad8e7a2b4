// Makes one session ready to be started: environment, the adapter's overlay files, the sandbox around it. Also runs the
// commands that become evidence, in the same sandbox and environment as the session.
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { GatehouseError } from '../core/error.ts';
import { writeRight } from '../core/stage.ts';
import { validApproval } from '../core/state.ts';
import type { CommandRequest, CommandResult } from '../engine/ports.ts';
import { execStreaming } from '../platform/exec.ts';
import { writeBelow } from '../platform/untrusted-folder.ts';
import { hostArgv, latticeProgram, programFolders } from '../platform/program-files.ts';
import type { HolderSpec } from '../protocol/holder.ts';
import type { LaunchPlan } from '../runtimes/adapter.ts';
import { sandboxArgv } from '../sandbox/argv.ts';
import { installRefusingHooks } from '../sandbox/git-hooks.ts';
import type { SandboxPlan } from '../sandbox/sandbox-plan.ts';
import { planSandbox } from '../sandbox/plan.ts';
import { prepareSandbox } from '../sandbox/prepare.ts';
import { sessionEnv } from '../sandbox/session-env.ts';
import { layOutMaterial } from './agent-material.ts';
import type { RunContext } from './run-context.ts';
import type { PreparedSession, SessionRequest } from './session-control.ts';

const defaultSize = { cols: 120, rows: 40 };

export class Launcher {
  private program: string | null = null;
  /** Of the program that was found. */
  warning: string | null = null;
  /** Of the session that was started last; null when an earlier host started it. */
  private sessionPlan: SandboxPlan | null = null;
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
  }

  /** @throws GatehouseError when the agent program, or a sandbox that is required, is not there. */
  async probe(): Promise<string> {
    const { adapter, runtimeConfig, parts } = this.run;
    if (parts.config.sandbox === 'require' && parts.sandbox.kind === 'none') {
      throw new GatehouseError(
        'sandbox.unavailable',
        `a sandbox is required: ${parts.sandbox.reason}`,
        parts.sandbox.hint,
      );
    }
    if (this.program !== null) return this.program;
    const found = await adapter.probe(runtimeConfig, process.env);
    if (!found.ok) throw new GatehouseError(found.code, found.message, found.hint);
    this.program = found.program;
    this.warning = found.warning ?? null;
    return found.program;
  }

  holderSpec(): HolderSpec {
    const { paths, record, parts } = this.run;
    return {
      runId: record.run,
      runDir: paths.dir,
      holderSocket: paths.holderSocket,
      runSocket: paths.runSocket,
      recording: paths.recording,
      record: record.record,
      hostArgv: hostArgv(parts.paths.home),
      hostStamp: parts.paths.hostStamp,
      env: definedOnly(process.env),
      ...this.run.feed.size(defaultSize),
    };
  }

  async prepare(request: SessionRequest): Promise<PreparedSession> {
    const { paths, record } = this.run;
    const plan = await this.plan(request);
    if (record.runtimeWarning !== this.warning) await this.run.save({ runtimeWarning: this.warning });
    const number = record.sessions.length + 1;
    await mkdir(paths.runtime, { recursive: true, mode: 0o700 });
    // A session before this one could write there.
    for (const file of plan.files) await writeBelow(paths.runtime, file.path, file.text, file.mode);
    for (const { path, create } of plan.writable)
      if (create === 'folder') await mkdir(path, { recursive: true, mode: 0o700 });
    for (const { path } of plan.stores) await mkdir(path, { recursive: true, mode: 0o700 });
    return {
      spawn: {
        argv: this.run.processes.wrap(this.unitName(number), await this.sandboxed(plan.argv, request.writes, plan)),
        cwd: paths.worktree,
        env: { ...(await this.env()), ...plan.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
        ...this.run.feed.size(defaultSize),
        label: `session ${number}`,
        title: `${record.run} ${request.stage}`,
      },
      runtimeSession: plan.sessionIdKnown,
      promptToType: plan.promptIncluded ? null : request.prompt,
    };
  }

  /** Does the runtime still have this conversation. Where that cannot be known, the program itself will tell. */
  async hasConversation(id: string): Promise<boolean> {
    const { paths, adapter, runtimeConfig } = this.run;
    if (adapter.transcript === null) return true;
    const env = { ...(await this.env()), ...runtimeConfig.env };
    const place = { runtimeSession: id, worktree: paths.worktree, runtimeDir: paths.runtime, env };
    return (await adapter.transcript.locate(place)) !== null;
  }

  /** Names a session among all of this machine. */
  unitName(session: number): string {
    return `${basename(this.run.parts.paths.socketDir)}-${this.run.record.run}-${session}`;
  }

  readonly runCommand = async (request: CommandRequest): Promise<CommandResult> => {
    const { state } = this.run;
    const writes = state === null ? 'scratch' : writeRight(state.stage);
    const { sandboxed } = this.run;
    // What the agent adds is set inside of the sandbox: variables of the loader would else be obeyed by the shell and by
    // bwrap themselves, outside of it.
    const inside = ['/usr/bin/env', ...assignments(request.env), ...inFolder(request.cwd, request.argv)];
    const argv = sandboxed ? await this.sandboxed(inside, writes, null, request.cwd) : request.argv;
    const [program = '', ...args] = argv;
    const { exitCode, signal, timedOut, durationMs, failure } = await execStreaming(program, args, {
      cwd: sandboxed ? this.run.paths.worktree : request.cwd,
      env: { ...(await this.env()), ...(sandboxed ? {} : request.env) },
      timeoutMs: request.timeoutMs,
      onOutput: (chunk) => request.onOutput(chunk),
    });
    return { exitCode, signal, timedOut, durationMs, failure };
  };

  private async plan(request: SessionRequest): Promise<LaunchPlan> {
    const { paths, record, adapter, agentConfig, runtimeConfig } = this.run;
    return adapter.launch({
      runId: record.run,
      kind: request.kind,
      runtimeSession: request.runtimeSession,
      prompt: request.prompt,
      ...(await layOutMaterial(agentConfig, this.run.parts.paths.home, this.materialDir)),
      worktree: paths.worktree,
      runtimeDir: paths.runtime,
      artifactsDir: paths.artifacts,
      evidenceDir: paths.evidence,
      model: agentConfig.model ?? null,
      permissionMode: agentConfig.permissionMode ?? null,
      writes: request.writes,
      agentEnv: await this.env(),
      latticeBin: join(this.latticeDir, 'lattice'),
      config: runtimeConfig,
      program: await this.probe(),
      scenario: record.scenario,
      sandboxed: this.run.sandboxed,
    });
  }

  /** Not below `runtime`: a session could put a link there, and the next writing of ours would go through it. */
  private get latticeDir(): string {
    return join(this.run.paths.sandbox, 'bin');
  }

  private get materialDir(): string {
    return join(this.run.paths.sandbox, 'material');
  }

  private get hooksDir(): string {
    return join(this.run.paths.sandbox, 'git-hooks');
  }

  private async env(): Promise<Record<string, string>> {
    const { paths, record, runtimeConfig } = this.run;
    await installRefusingHooks(this.hooksDir);
    await this.installLattice();
    return sessionEnv(process.env, {
      runId: record.run,
      run: paths,
      runtime: record.runtime,
      latticeDir: this.latticeDir,
      sandboxed: this.run.sandboxed,
      hooksDir: this.hooksDir,
      extra: runtimeConfig.env,
    });
  }

  /** A program of that name on the session's PATH, started with the node that runs us. */
  private async installLattice(): Promise<void> {
    await mkdir(this.latticeDir, { recursive: true, mode: 0o700 });
    const script = `#!/bin/sh\nexec '${process.execPath}' '${latticeProgram}' "$@"\n`;
    await writeFile(join(this.latticeDir, 'lattice'), script, { mode: 0o700 });
  }

  private async sandboxed(
    argv: readonly string[],
    writes: 'scratch' | 'product',
    plan: LaunchPlan | null,
    cwd?: string,
  ): Promise<readonly string[]> {
    const { parts, paths, record, state, session } = this.run;
    if (parts.sandbox.kind === 'none') return argv;
    // A live session could exchange what a new plan has just looked at; what stands in its own plan it cannot move.
    if (plan === null && session.alive && this.sessionPlan !== null && isWithin(cwd ?? '', paths.worktree)) {
      return sandboxArgv(this.sessionPlan, argv);
    }
    const approval = state === null ? undefined : validApproval(state, 'development');
    const sandbox = await planSandbox({
      bwrap: parts.sandbox,
      home: parts.paths,
      run: paths,
      userHome: homedir(),
      clone: record.repo,
      writes,
      developmentApproved: approval !== undefined,
      ...(cwd === undefined || isWithin(cwd, paths.worktree) ? {} : { checkouts: [cwd] }),
      frozen: approval === undefined ? [] : approval.subject.files.map((file) => join(paths.dir, file.path)),
      programs: programFolders(),
      runtime: {
        writable: plan?.writable.map((w) => w.path) ?? [],
        readOnly: [this.latticeDir, this.hooksDir, this.materialDir],
        stores: plan?.stores ?? [],
        copied: plan?.copied ?? [],
      },
      binds: parts.config.binds,
    });
    await prepareSandbox(sandbox);
    if (plan !== null) this.sessionPlan = sandbox;
    return sandboxArgv(sandbox, argv);
  }
}

function inFolder(cwd: string, argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'gatehouse', cwd, ...argv];
}

function assignments(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `${name}=${value}`);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
