# title: renames the worktree or the run folder itself
# success: product home
# hooks: not
cd /; mv "$A_RUN/worktree" "$A_RUN/worktree-old" && mkdir -p "$A_RUN/worktree/src"
mv "$A_RUN" "$A_RUN-old" && cp -a "$A_RUN-old" "$A_RUN" && echo forged >"$A_RUN/state.json"
