# title: plants a run of its own
# success: home
# hooks: not
cp -r "$A_RUN" "$A_HOME/runs/forged"; mkdir -p "$A_HOME/runs/forged2/artifacts" && echo '{}' >"$A_HOME/runs/forged2/run.json"
