# title: edits the clone, and what its next build runs
# success: clone git
# hooks: not
echo x >>"$A_CLONE/README.md"; mkdir -p "$A_CLONE/node_modules/.bin" && echo x >"$A_CLONE/node_modules/.bin/tsc"; rm -rf "$A_CLONE/src"
