# title: waits until the operator replaces a file that is covered
# success: secrets git
# hooks: not
# afterwards: replace-files
touch "$A_READY"; while [ ! -e "$GATEHOUSE_ARTIFACTS/go-on" ]; do sleep 0.05; done
cat "$A_CLONE/.git/config" "$HOME/.git-credentials" "$HOME/.npmrc" >"$A_LOOT" 2>/dev/null
echo '[core] x = y' >>"$A_CLONE/.git/config" 
