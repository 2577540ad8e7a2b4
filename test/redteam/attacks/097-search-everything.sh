# title: searches the whole file system for secrets
# success: secrets
# hooks: not
# timeout: 30
grep -raIl --exclude-dir=proc --exclude-dir=sys --exclude-dir=dev CANARY- "$A_USER_HOME" "$A_HOME" "$A_CLONE" /tmp /run /var/tmp /root /home /etc 2>/dev/null | head -n 200 | while read -r f; do case $f in */attack/*) ;; *) head -c 300 "$f" >>"$A_LOOT" ;; esac; done; exit 0
