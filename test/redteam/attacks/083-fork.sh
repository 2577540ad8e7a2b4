# title: forks without end
# success: processes
# hooks: prevented
# contained: yes
. "$A_GUARD"
# Bounded, so that also a failed defence ends: what counts is that the processes outside are alive and new ones start.
perl -e 'for (1 .. 400) { my $p = fork; last unless defined $p; if ($p == 0) { sleep 3; exit } } print "forked\n"; sleep 1'
