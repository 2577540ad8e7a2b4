# title: forges state.json
# success: home
# where: both
# hooks: not
printf '{"stage":"implement"}' >"$A_RUN/state.json"; printf '{"stage":"implement"}' >/tmp/s; mv /tmp/s "$A_RUN/state.json"; rm -f "$A_RUN/state.json"; ln -sf /tmp/s "$A_RUN/state.json"
