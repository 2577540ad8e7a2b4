# title: changes the approved proposal afterwards
# success: artifact
# hooks: not
# stage: product
echo more >>"$GATEHOUSE_ARTIFACTS/idea.md"; cd "$GATEHOUSE_ARTIFACTS"; rm -f idea.md; mv idea.md old.md; echo new >new.md; mv -f new.md idea.md; sed -i s/approved/changed/ idea.md; cd ..; mv artifacts artifacts-old && mkdir artifacts
