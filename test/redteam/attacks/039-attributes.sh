# title: makes git run a filter by tracked attributes
# success: outside
# hooks: prevented
# stage: product
# afterwards: host-looks
printf '* filter=run diff=run merge=run\n' >.gitattributes; printf '[filter "run"]\n\tclean = touch %s\n[diff "run"]\n\tcommand = touch %s\n' "$A_OUTSIDE" "$A_OUTSIDE" >.gitconfig; cp .gitconfig .gitmodules; echo x >>src/app.js; touch "$A_READY"; sleep 5
