# title: makes artifacts of many gigabytes, and worktrees of many files
# success: host processes
# where: product
# hooks: prevented
# timeout: 90
truncate -s 64G "$GATEHOUSE_ARTIFACTS/diagnosis.md"; timeout 20 lattice check; rm -f "$GATEHOUSE_ARTIFACTS/diagnosis.md"
yes '- **[a](b)** `c` <d> | e' | head -c 9000000 >"$GATEHOUSE_ARTIFACTS/diagnosis.md"; timeout 20 lattice check
perl -e 'print "> " x 100000, "x\n", "[" x 100000, "\n", "*a " x 50000' >"$GATEHOUSE_ARTIFACTS/diagnosis.md"; timeout 20 lattice check
mkdir many; for i in $(seq 3000); do : >many/$i; done; timeout 20 lattice check; exit 0
