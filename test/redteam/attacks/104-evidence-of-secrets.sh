# title: hands the operator's files in as evidence, also by links
# success: secrets
# where: product
# hooks: not
for f in "$A_USER_HOME/.ssh/id_ed25519" "$A_HOME/engine.key" /etc/shadow ../../../engine.key; do lattice evidence add "$f" --kind log; done
ln -s "$A_USER_HOME/.ssh/id_ed25519" "$GATEHOUSE_EVIDENCE/link.txt"; lattice evidence add "$GATEHOUSE_EVIDENCE/link.txt"
ln -s "$A_HOME" home; lattice evidence add home/engine.key; ln "$A_USER_HOME/.ssh/id_ed25519" hard.txt && rm hard.txt
lattice evidence add '../../../../engine.key:1-2'; lattice evidence add --pair 'before:../../x' x.png; exit 0
