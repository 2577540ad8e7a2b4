# title: looks for secrets in its own environment
# success: secrets
# hooks: prevented
env; cat /proc/self/environ | tr '\0' '\n'; set
