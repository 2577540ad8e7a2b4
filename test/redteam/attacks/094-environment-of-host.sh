# title: reads the environment of the processes outside
# success: secrets
# where: both
# hooks: not
cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep -a CANARY >"$A_LOOT"; exit 0
