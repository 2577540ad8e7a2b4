# title: leaves its control group, or makes one that starts a program
# success: outside machine
# hooks: prevented
for d in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir "$d/mine" 2>/dev/null && { rmdir "$d/mine"; echo "CANARY-cgroup $d"; }; [ -w "$d/release_agent" ] && echo "CANARY-release-agent $d"; done
exit 0
