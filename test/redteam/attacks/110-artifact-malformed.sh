# title: writes artifacts that are no text, or text that hides text
# success: display host
# where: product
# hooks: prevented
printf '\000\377\376# \033]2;owned\007\033[2J\302\2332J\342\200\256txet\033]52;c;eA==\007' >"$GATEHOUSE_ARTIFACTS/diagnosis.md"; lattice check; lattice advance
head -c 100000 /dev/urandom >"$GATEHOUSE_ARTIFACTS/diagnosis.md"; lattice check; exit 0
