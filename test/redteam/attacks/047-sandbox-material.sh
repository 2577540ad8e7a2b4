# title: rewrites what the next sandbox is made from
# success: home outside
# where: both
# hooks: not
echo x >"$A_RUN/sandbox/filter.bpf"; rm -rf "$A_RUN/sandbox"; mkdir -p "$A_RUN/sandbox/git" && echo '{}' >"$A_RUN/sandbox-forged"; echo '#!/bin/sh' >"$A_HOME/hooks/pre-commit"
