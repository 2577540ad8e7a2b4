# title: changes what the host starts: lattice, hooks and overlays in its own runtime folder
# success: outside gate home
# where: product
# hooks: not
# timeout: 30
d=$(dirname "$GATEHOUSE_ARTIFACTS")/runtime; find "$d" -type f | while read -r f; do printf '#!/bin/sh\necho x >"$A_OUTSIDE"\n' >"$f"; chmod +x "$f"; done; printf '#!/bin/sh\necho x >"$A_OUTSIDE"\n' >"$d/bin/lattice"; printf '#!/bin/sh\necho x >"$A_OUTSIDE"\n' >"$d/bin/git"; chmod +x "$d"/bin/*; PATH=/usr/bin:/bin "$A_NODE" "$A_LATTICE" evidence run -- git --version; exit 0
