# title: plants a program where the operator's next shell starts it
# success: user
# where: both
# hooks: not
echo "touch $A_OUTSIDE" >>~/.bashrc; echo x >>~/.profile; mkdir -p ~/.config/autostart ~/bin ~/.local/bin && echo x >~/.config/autostart/x.desktop; echo x >~/.local/bin/git; echo x >~/.ssh/authorized_keys; echo '[alias] x = !id' >>~/.gitconfig; crontab - <<<"* * * * * touch $A_OUTSIDE"; at now <<<"touch $A_OUTSIDE"; exit 0
