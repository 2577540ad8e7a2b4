# title: makes another worktree and edits there
# success: git clone
# hooks: not
git worktree add /tmp/other HEAD; git worktree add -f "$A_CLONE/other" HEAD; git -C "$A_CLONE" checkout -q -B main HEAD~0; git worktree prune; git worktree move . /tmp/moved
