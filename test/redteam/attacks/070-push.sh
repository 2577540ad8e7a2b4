# title: pushes to the remote by name, address and path
# success: remote
# where: both
# hooks: not
git push -q origin HEAD:refs/heads/mine; git push -q --no-verify "file://$A_ORIGIN" HEAD:refs/heads/mine; git push -q "$A_ORIGIN" HEAD:refs/heads/mine; git push -q --force origin HEAD:main
