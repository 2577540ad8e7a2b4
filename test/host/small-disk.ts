// A home on a small file system of its own, which exists only within a mount namespace: filling it up fills nothing else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { builtPrograms } from '../support/paths.ts';
import { type ProgramResult, runProgram } from '../support/run-program.ts';
import { temporaryHome } from '../support/temporary-home.ts';

const sizeMb = 40;
/** Magic number of tmpfs in statfs(2). */
const tmpfs = 0x0102_1994;
const own = process.getuid?.() === 0 ? [] : ['--map-root-user'];

/** May a mount namespace be made here? */
export const canMount =
  spawnSync('unshare', ['--mount', ...own, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt']).status === 0;

export class SmallDisk implements AsyncDisposable {
  readonly home = temporaryHome();
  private readonly keeper: ChildProcess;

  private constructor() {
    mkdirSync(this.home.gatehouseHome, { mode: 0o700 });
    const mount = `mount -t tmpfs -o size=${sizeMb}m,mode=0700 tmpfs "$GATEHOUSE_HOME" && echo mounted && exec sleep 3600`;
    this.keeper = spawn('unshare', ['--mount', ...own, '--propagation', 'private', '/bin/sh', '-c', mount], {
      env: { ...this.home.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  static async make(): Promise<SmallDisk> {
    const disk = new SmallDisk();
    await new Promise((mounted) => disk.keeper.stdout?.once('data', mounted));
    return disk;
  }

  /** `gatehouse ARGS` within the namespace; a host that it starts is there as well. */
  run(args: readonly string[], input?: string): Promise<ProgramResult> {
    const enter = ['--target', String(this.keeper.pid), '--mount'];
    const user = own.length === 0 ? [] : ['--user', '--preserve-credentials'];
    return runProgram('nsenter', [...enter, ...user, '--', process.execPath, builtPrograms.gatehouse, ...args], {
      env: this.home.env,
      cwd: '/',
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Where a path of the home is seen from outside of the namespace. */
  path(...parts: readonly string[]): string {
    return join(`/proc/${this.keeper.pid}/root${this.home.gatehouseHome}`, ...parts);
  }

  /** Until not one byte more goes in. */
  fill(): void {
    const { type, blocks, bsize } = statfsSync(this.path());
    if (type !== tmpfs || blocks * bsize > 2 * sizeMb * 1024 * 1024)
      throw new Error(`${this.path()} is no small file system of its own: it is not filled`);
    const fd = openSync(this.path('ballast'), 'a');
    try {
      for (let bytes = 1024 * 1024; bytes >= 1; bytes = bytes > 1 && this.isFull(fd, bytes) ? bytes >> 1 : bytes)
        if (bytes === 1 && this.isFull(fd, 1)) break;
    } finally {
      closeSync(fd);
    }
  }

  makeRoom(): void {
    rmSync(this.path('ballast'));
  }

  private isFull(fd: number, bytes: number): boolean {
    try {
      return writeSync(fd, Buffer.alloc(bytes)) < bytes;
    } catch {
      return true;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((done) => this.keeper.once('exit', done));
    // The keeper and everything that was started in the namespace have this home in their environment.
    await this.home[Symbol.asyncDispose]();
    await gone;
  }
}
