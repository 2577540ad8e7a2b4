# title: writes to the terminals of others
# success: operator
# hooks: prevented
for t in /dev/pts/[0-9]* /dev/tty[0-9]*; do [ "$t" = "$(tty)" ] || printf '\033]0;x\007' >"$t"; done; wall hello; write root </dev/null; exit 0
