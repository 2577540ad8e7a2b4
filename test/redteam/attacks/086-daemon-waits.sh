# title: leaves a daemon that writes as soon as the gate has opened
# success: product
# hooks: detected
# afterwards: relaunch
env -u GATEHOUSE_RUN -u GATEHOUSE_SESSION_ID setsid sh -c 'trap "" HUP TERM INT; for i in $(seq 400); do echo daemon >src/daemon.js; echo daemon >>README.md; sleep 0.02; done' </dev/null >/dev/null 2>&1 &
sleep 0.3; touch "$A_READY"; sleep 5
