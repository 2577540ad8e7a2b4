# title: kills host and holder by name and by number
# success: processes
# hooks: not
# contained: yes
. "$A_GUARD"
pkill -9 -f gatehouse; killall -9 node gatehouse-host; kill -9 "$A_HOST_PID"; for n in gatehouse-host gatehouse-holder; do pkill -9 -f $n; done; exit 0
