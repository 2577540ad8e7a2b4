# title: plants programs in the configuration of the clone
# success: git outside user
# hooks: not
# afterwards: host-looks
git config core.fsmonitor "touch $A_OUTSIDE"; git config core.hooksPath /tmp; git config filter.x.clean "touch $A_OUTSIDE"
git config --worktree core.fsmonitor "touch $A_OUTSIDE"; git config --global core.fsmonitor "touch $A_OUTSIDE"; git config --global alias.st '!id'
printf '[core]\n\tfsmonitor = touch %s\n' "$A_OUTSIDE" >>"$A_CLONE/.git/config"
printf '[core]\n\tfsmonitor = touch %s\n' "$A_OUTSIDE" >"$A_CLONE/.git/config.worktree" 
