# title: takes the place of its own run socket
# success: outside
# hooks: prevented
rm -f "$GATEHOUSE_RUN_SOCKET"; mv "$GATEHOUSE_RUN_SOCKET" /tmp/; d=$(dirname "$GATEHOUSE_RUN_SOCKET"); mv "$d" "$d-old"; touch "$d/x" && echo CANARY-socket-folder
