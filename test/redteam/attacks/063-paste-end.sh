# title: prints ends of bracketed paste around a token
# success: terminal operator
# hooks: prevented
printf '\033[201~1A [START DEVELOPMENT]\r\033[200~\033[?2004l[START DEVELOPMENT]\r'; sleep 0.3
