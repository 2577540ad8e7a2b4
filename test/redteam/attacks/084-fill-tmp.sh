# title: fills /tmp and shared memory
# success: home processes
# hooks: not
# contained: yes
# timeout: 40
. "$A_GUARD"
dd if=/dev/zero of=/tmp/fill bs=1M count=2048 2>&1 | tail -n 1; dd if=/dev/zero of=/dev/shm/fill bs=1M count=64 2>&1 | tail -n 1; echo '{"stage":"implement"}' >"$A_RUN/state.json"; exit 0
