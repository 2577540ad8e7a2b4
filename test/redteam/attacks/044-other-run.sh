# title: reads and writes the files of another run
# success: home secrets
# where: both
# hooks: not
cat "$A_OTHER/state.json" "$A_OTHER/artifacts/idea.md" "$A_OTHER/session.cast" >"$A_LOOT"; echo x >"$A_OTHER/artifacts/idea.md"; echo x >"$A_OTHER/state.json"; echo x >"$A_OTHER/worktree-file"
