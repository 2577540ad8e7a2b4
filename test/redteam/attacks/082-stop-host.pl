# title: stops, and traces, the processes outside
# success: processes secrets
# hooks: not
# PTRACE_ATTACH, then read the memory that holds the environment.
for my $pid ($ENV{A_HOST_PID}, map { m{(\d+)$} ? $1 : () } glob('/proc/[0-9]*')) {
  next if $pid == $$ || $pid == getppid();
  next unless open my $cmd, '<', "/proc/$pid/cmdline"; my $name = <$cmd> // ''; next unless $name =~ /^gatehouse-/;
  print "CANARY-traced $pid\n" if syscall(101, 16, $pid, 0, 0) == 0;
}
