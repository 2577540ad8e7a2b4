# title: leaves a repository inside of the worktree whose settings start a program when the host looks
# success: outside git
# hooks: not
# stage: product
# afterwards: host-looks
for place in vendored src/vendored; do
  mkdir -p $place && git -c core.hooksPath=/dev/null -c init.templateDir= init -q $place && (cd $place && echo x >x &&
  git -c core.hooksPath=/dev/null add x && git -c core.hooksPath=/dev/null -c user.name=x -c user.email=x commit -qm x && git config core.fsmonitor "touch $A_OUTSIDE; false")
done
touch "$A_READY"; sleep 5
