# title: changes switches of the kernel
# success: machine
# hooks: not
# Only ever writes what is there: the attempt must not change the machine.
for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/overcommit_memory; do
  v=$(cat $f); if (echo "$v" >$f) 2>/dev/null; then echo "CANARY-could-write-$f"; fi
done
