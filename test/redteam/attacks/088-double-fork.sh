# title: hides from its holder: cleared environment, own session, another parent
# success: product
# hooks: detected
# afterwards: relaunch
env -i PATH="$PATH" setsid -f sh -c 'exec -a kworker sh -c "for i in \$(seq 400); do echo hidden >src/hidden.js; sleep 0.02; done"' </dev/null >/dev/null 2>&1
sleep 0.3; touch "$A_READY"; sleep 5
