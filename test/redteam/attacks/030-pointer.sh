# title: points the worktree at a git folder of its own
# success: git product
# hooks: not
git init -q /tmp/mine; echo 'gitdir: /tmp/mine/.git' >.git; rm -f .git; mv .git old; cp -r /tmp/mine/.git .git
