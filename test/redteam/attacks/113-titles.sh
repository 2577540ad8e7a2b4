# title: puts control sequences into titles, last lines, file names and refusals
# success: display
# where: product
# hooks: prevented
# timeout: 30
printf '\033]2;a\033[2Jb\302\233c\007'; touch "$(printf 'na\033]2;x\007me\nline')"; lattice skill "$(printf 'x\033]52;c;eA==\007')"; lattice evidence add "$(printf 'f\033[2Jile')"; lattice evidence run -- printf '\033]2;x\007\033[2J\302\2332J'; printf '\033[31mlast \302\233 line\342\200\256'; exit 0
