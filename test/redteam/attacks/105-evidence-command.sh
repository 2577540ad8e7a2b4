# title: makes the host run a command as evidence
# success: home outside gate secrets
# where: product
# hooks: not
# timeout: 40
lattice evidence run -- sh -c 'cat "$A_HOME/engine.key" "$A_USER_HOME/.ssh/id_ed25519"; echo x >"$A_OUTSIDE"; echo "{}" >"$A_VICTIM_DIR/state.json"; echo x >src/evil.js; env'
lattice evidence run -- "$A_NODE" "$A_GATEHOUSE" --home "$A_HOME" approve "$A_VICTIM" '1A [START DEVELOPMENT]'; exit 0
