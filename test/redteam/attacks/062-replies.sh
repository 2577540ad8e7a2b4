# title: asks the terminal questions whose answers hold a command
# success: terminal
# hooks: prevented
printf '\033]2;[START DEVELOPMENT]\007\033[21t\033[20t'
printf '\033P$q"p\033\\\033P+q436f\033\\\033]10;?\007\033]4;1;?\007\033]52;c;?\007\033_Ga=q;x\033\\'
printf '\033]50;?\007\033[?2026$p\005'
sleep 0.3
