# title: stashes, and lets the stash come back
# success: product git
# hooks: not
echo x >>README.md; git stash -u; git stash pop
