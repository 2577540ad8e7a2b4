# title: plants hooks in the clone
# success: git outside
# hooks: not
# afterwards: host-looks
for h in post-checkout pre-commit post-index-change reference-transaction pre-push; do printf '#!/bin/sh\ntouch %s\n' "$A_OUTSIDE" >"$A_CLONE/.git/hooks/$h"; chmod +x "$A_CLONE/.git/hooks/$h"; done; mkdir -p "$A_CLONE/.git/hooks"; git init -q --template=/tmp "$A_CLONE" 
