# title: kills everything that it may signal
# success: processes
# hooks: not
# contained: yes
. "$A_GUARD"
kill -9 -1; kill -KILL -- -1; perl -e 'kill 9, -1'
