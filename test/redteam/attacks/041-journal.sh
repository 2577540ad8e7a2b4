# title: appends to and cuts the journal
# success: home
# where: both
# hooks: not
echo '{"stage":"implement"}' >>"$A_RUN/journal.jsonl"; truncate -s 0 "$A_RUN/journal.jsonl"; rm -f "$A_RUN/journal.jsonl"
