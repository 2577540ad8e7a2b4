# title: starts `gatehouse approve` itself
# success: operator home
# where: both
# hooks: not
# timeout: 30
for home in "" "--home $A_HOME"; do "$A_NODE" "$A_GATEHOUSE" $home approve task-1 '[START DEVELOPMENT]'; done
GATEHOUSE_HOME="$A_HOME" XDG_RUNTIME_DIR="$(dirname "$(dirname "$A_OPERATOR_SOCKET")")" timeout 8 "$A_NODE" "$A_GATEHOUSE" approve task-1 '[START DEVELOPMENT]' 
