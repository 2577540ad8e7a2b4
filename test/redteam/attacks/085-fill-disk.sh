# title: fills the disk that holds state and recording, by what it may write
# success: home processes
# hooks: prevented
# contained: yes
# timeout: 40
. "$A_GUARD"
dd if=/dev/zero of=fill bs=1M count=2048 2>&1 | tail -n 1; dd if=/dev/zero of="$GATEHOUSE_ARTIFACTS/fill" bs=1M count=2048; for i in $(seq 2000); do echo x >"$GATEHOUSE_EVIDENCE/$i"; done; rm -f fill "$GATEHOUSE_ARTIFACTS/fill"; exit 0
