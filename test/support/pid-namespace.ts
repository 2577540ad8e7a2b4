// A PID namespace of its own: who kills by name in there reaches nothing outside of it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { childrenOf } from './processes.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const make = [...own, '--pid', '--fork', '--kill-child=KILL', '--mount', '--mount-proc'];

/** May one be made here? */
export const canMakePidNamespace = spawnSync('unshare', [...make, 'true']).status === 0;

export class PidNamespace implements AsyncDisposable {
  private readonly env: Readonly<Record<string, string>>;
  private readonly keeper: ChildProcess;
  private target = 0;

  private constructor(env: Readonly<Record<string, string>>) {
    this.env = env;
    const script = 'echo ready; exec sleep 3600';
    this.keeper = spawn('unshare', [...make, '/bin/sh', '-c', script], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  static async open(env: Readonly<Record<string, string>>): Promise<PidNamespace> {
    const namespace = new PidNamespace(env);
    await new Promise((ready) => namespace.keeper.stdout?.once('data', ready));
    // The namespace is that of the keeper's child, by the pid that is seen out here.
    namespace.target = childrenOf(namespace.keeper.pid ?? 0)[0]?.pid ?? 0;
    return namespace;
  }

  run(command: string, args: readonly string[], input?: string): Promise<ProgramResult> {
    const enter = ['--target', String(this.target), '--mount', '--pid'];
    const user = own.length === 0 ? [] : ['--user', '--preserve-credentials'];
    return runProgram('nsenter', [...enter, ...user, '--', command, ...args], {
      env: this.env,
      cwd: '/',
      ...(input === undefined ? {} : { input }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((done) => this.keeper.once('exit', done));
    this.keeper.kill('SIGKILL');
    await gone;
  }
}
