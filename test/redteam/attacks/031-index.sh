# title: rewrites index and HEAD of the worktree
# success: git
# hooks: not
d=$(git rev-parse --git-dir); echo x >"$d/index"; echo 'ref: refs/heads/main' >"$d/HEAD"; git update-index --assume-unchanged src/app.js; git rm -q --cached -r .; git symbolic-ref HEAD refs/heads/main
