# title: rewrites what was recorded, and what starts the host again
# success: home
# where: both
# hooks: not
echo '[0,"o","x"]' >>"$A_RUN/session.cast"; truncate -s 0 "$A_RUN/session.cast"; echo '{"hostArgv":["touch","'$A_OUTSIDE'"]}' >"$A_RUN/holder.spec.json"; echo '{}' >"$A_RUN/run.json"
