# title: puts state.json and the journal back together to an earlier pair that is sound in itself
# success: home gate
# where: product
# hooks: detected
own=$A_HOME/runs/$GATEHOUSE_RUN
for name in state.json journal.jsonl heads.jsonl; do cp "$own/$name" "$A_HOME/$name" /tmp/ 2>/dev/null; done
"$A_NODE" "$A_LATTICE" skill lattice-diagnose >/dev/null
for name in state.json journal.jsonl; do cp "/tmp/$name" "$own/$name"; done; cp /tmp/heads.jsonl "$A_HOME/heads.jsonl"; exit 0
