# title: commits: with hooks off, by plumbing, with a cleared environment
# success: git remote
# hooks: not
export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
git commit -q --allow-empty -m x; git commit -q --no-verify --allow-empty -m x; git -c core.hooksPath=/dev/null commit -q --allow-empty -m x
c=$(git commit-tree -m x HEAD^{tree}); git -c core.hooksPath=/dev/null update-ref refs/heads/main "$c"
env -i PATH="$PATH" HOME="$HOME" GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x git commit -q --allow-empty -m x
