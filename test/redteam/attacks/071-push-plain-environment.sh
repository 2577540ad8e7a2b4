# title: pushes with a cleared environment and a configuration of its own
# success: remote
# hooks: not
env -i PATH="$PATH" HOME=/tmp git push -q origin HEAD:refs/heads/mine; env -i PATH="$PATH" HOME=/tmp git -c core.hooksPath=/dev/null push -q "$A_ORIGIN" HEAD:refs/heads/mine; git send-pack "$A_ORIGIN" HEAD:refs/heads/mine
