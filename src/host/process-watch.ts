// What the processes of one run use: whether they work, and the limits that they are put under. Ends nothing; says what
// is over a limit where the kernel does not end it, and why a session ended, as far as that is known.
import type { Config } from '../core/config.ts';
import { memoryKills, treeCpuTicks, treeUsage } from '../platform/process-usage.ts';
import type { SessionExit } from '../protocol/holder.ts';
import { type LimitForce, endedForMemory, limitedArgv } from '../sandbox/limits.ts';

const megabyte = 1024 * 1024;
/** To read the whole tree of a session is the dearest look at it: it is done less often than the others. */
const measureEveryMs = 1_900;
/** What the timers of an idle program use in that time: one tick (10 ms) a second. */
const idleTicks = 2;
/** An exit may be heard of this much after its cause. */
const causeBeforeExitMs = 2_000;

export class ProcessWatch {
  /** Did they use the CPU since the last look; null when that is not known. */
  cpuBusy: boolean | null = null;
  private cpuTicks = 0;
  private measuredAt = 0;
  private readonly limits: Config['limits'];
  private readonly force: LimitForce;
  private unit: string | null = null;
  /** What the kernel had counted, newest last; the first is older than `causeBeforeExitMs` once that time has passed. */
  private kills: { at: number; count: number | null }[] = [];

  constructor(limits: Config['limits'], force: LimitForce) {
    this.limits = limits;
    this.force = force;
  }

  /** The session of this name lives already. @param name unique among all sessions of this machine. */
  adopt(name: string): void {
    this.unit = this.isSet && this.force.kind === 'systemd' ? name : null;
  }

  /** @returns the arguments with which it is started under its limits. */
  wrap(name: string, argv: readonly string[]): readonly string[] {
    this.adopt(name);
    return this.force.kind === 'systemd' && this.unit !== null
      ? limitedArgv(this.force, this.limits, this.unit, argv)
      : argv;
  }

  /** How busy it is: evidence only where the program reports nothing itself. */
  measureCpu(pid: number | null): void {
    const now = Date.now();
    if (pid !== null && now - this.measuredAt < measureEveryMs) return;
    this.measuredAt = now;
    const ticks = pid === null ? 0 : treeCpuTicks(pid);
    this.cpuBusy = this.cpuTicks === 0 ? null : ticks - this.cpuTicks > idleTicks;
    this.cpuTicks = ticks;
  }

  /** @returns why the session has to be ended, else null. */
  overLimit(pid: number): string | null {
    this.countKills();
    if (!this.isSet || this.force.kind !== 'watched') return null;
    const { memoryMb = Infinity, processes = Infinity } = this.limits;
    const { bytes, threads } = treeUsage(pid);
    if (bytes > memoryMb * megabyte)
      return `killed: out of memory, ${Math.round(bytes / megabyte)} MB where ${memoryMb} are allowed`;
    return threads > processes ? `killed: ${threads} processes and threads where ${processes} are allowed` : null;
  }

  /** What is known of the end of a session that nobody here has ended; null when it is nothing. */
  async explain(exit: SessionExit): Promise<string | null> {
    const { unit, force } = this;
    this.unit = null;
    if (unit !== null && force.kind === 'systemd' && (await endedForMemory(force, unit)))
      return `killed: out of memory, ${this.limits.memoryMb ?? '?'} MB are allowed`;
    // A program in a sandbox, or below a shell, tells a signal by its exit code.
    const isKilled = exit.signal === 'SIGKILL' || exit.code === 137;
    const before = this.kills[0]?.count ?? null;
    const now = memoryKills();
    if (!isKilled || before === null || now === null || now === before) return null;
    return 'killed: out of memory, by the kernel as far as it tells';
  }

  private countKills(): void {
    const at = Date.now();
    if (at - (this.kills.at(-1)?.at ?? 0) < causeBeforeExitMs) return;
    this.kills = [...this.kills, { at, count: memoryKills() }].slice(-2);
  }

  private get isSet(): boolean {
    return this.limits.memoryMb !== undefined || this.limits.processes !== undefined;
  }
}
