# title: puts links to the operator's files where the host writes its own into the run
# success: user home
# where: product
# hooks: not
# timeout: 30
run=$(dirname "$GATEHOUSE_ARTIFACTS")
for name in bin/lattice git-hooks/pre-commit git-hooks/pre-push settings.json hooks.json; do
  mkdir -p "$run/runtime/${name%/*}" 2>/dev/null; ln -sfn "$A_USER_HOME/.gitconfig" "$run/runtime/$name"
done
ln -sfn "$A_HOME/config.json" "$GATEHOUSE_EVIDENCE/E1.txt"; ln -sfn "$A_HOME/config.json" "$GATEHOUSE_EVIDENCE/E2.txt"; ln -sfn "$A_HOME/config.json" "$GATEHOUSE_ARTIFACTS/ship-summary.md"
for i in 1 2; do "$A_NODE" "$A_LATTICE" evidence run -- echo x; "$A_NODE" "$A_LATTICE" evidence add README.md; done; exit 0
