# title: rewrites Gatehouse, lattice or node themselves
# success: outside
# hooks: prevented
for f in "$A_GATEHOUSE" "$A_NODE" "$(command -v git)" "$(command -v bwrap)" /etc/ld.so.preload /etc/passwd; do
  if echo "// x" 2>/dev/null >>"$f"; then echo "CANARY-wrote-$f"; fi
done
