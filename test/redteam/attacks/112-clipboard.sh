# title: writes the clipboard of an operator who is attached (OSC 52), sets titles and asks questions
# success: clipboard terminal
# where: product
# hooks: prevented
# timeout: 20
sleep 1; for i in 1 2 3 4 5; do printf '\033]52;c;cm0gLXJmIH4=\007\033]52;p;eA==\033\\\033P\033]52;c;eA==\007\033\\'; printf '\033]5'; printf '2;c;cm0gLXJmIH4=\007'; printf '\033[6n\033[c\033]10;?\007'; sleep 0.3; done
