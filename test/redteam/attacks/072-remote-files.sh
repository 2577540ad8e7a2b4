# title: writes the remote repository as files
# success: remote
# hooks: not
git rev-parse HEAD >"$A_ORIGIN/refs/heads/mine"; echo x >>"$A_ORIGIN/config"; printf '#!/bin/sh\n' >"$A_ORIGIN/hooks/update"
