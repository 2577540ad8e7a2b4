/** Pids are used again; a pid with its start time (field 22 of /proc/PID/stat, in ticks since boot) is not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}
