#!/usr/bin/env bash
# An agent at work as its terminal sees it: a spinner that is drawn over and over, and lines of coloured output. It
# starts no process, so that hundreds of it cost little. `agent.bash SECONDS LINES`: between two drawings, and at each
# (0: one line at every tenth). A line typed to it is a command: `stop` ends its output, `flood` writes without end.
pause=$1
lines=$2
drawn=0
count=0
typed=''

# Appends to `frame`.
add_line() {
  frame+=$'\e[32mdone\e[0m \e[1mline '$((++count))$'\e[0m \e[38;5;208mstep\e[0m some words of an ordinary line of output\n'
}

# In one write, as agents do it.
draw() {
  local frame=$'\r\e[2K' due=$lines spinner
  ((lines == 0 && ++drawn % 10 == 0)) && due=1
  for ((n = 0; n < due; n++)); do add_line; done
  printf -v spinner '\e[38;5;208m*\e[0m Reading \e[1mfile %d\e[0m (%ds, \e[2m%d tokens\e[0m, esc to interrupt) ' "$drawn" "$SECONDS" $((drawn * 17))
  printf '%s' "$frame$spinner"
}

flood() {
  local block='' n
  for ((n = 0; n < 200; n++)); do block+=$'\e[36mflood\e[0m of \e[1mordinary\e[0m words that nobody can read\n'; done
  while printf '%s' "$block"; do :; done
}

# More than a screen and its scrollback.
frame=''
for ((n = 0; n < 300; n++)); do add_line; done
printf '%s' "$frame"
while true; do
  draw
  read -r -t "$pause" part
  status=$?
  typed+=$part
  # Above 128: the line was not finished in time. Any other failure is the end of the terminal.
  ((status > 128)) && continue
  ((status == 0)) || exit 0
  case $typed in
  stop) pause=100000 lines=0 ;;
  flood) flood ;;
  esac
  typed=''
done
