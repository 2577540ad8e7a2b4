/** What every session is kept apart from; tried out before a sandbox is promised. */
export const isolation = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  // Also for root, who would otherwise keep what a session must not have.
  '--cap-drop',
  'ALL',
  // A session that nobody records must not go on: when its holder is killed, it ends, and with process 1 of its
  // namespace everything that it ever started, daemons too.
  '--die-with-parent',
] as const;
