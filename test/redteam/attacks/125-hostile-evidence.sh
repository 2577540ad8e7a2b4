# title: hands in pipes, devices, sockets, /proc, hard links, holes of terabytes and names with control characters as evidence
# success: secrets home host display gate
# where: product
# hooks: prevented
# timeout: 60
add() { timeout 15 "$A_NODE" "$A_LATTICE" evidence add "$@" 2>&1 | head -n 1; }
cd "$GATEHOUSE_EVIDENCE" || exit 1
mkfifo pipe; truncate -s 4T hole; ln /etc/hostname hard 2>/dev/null; ln -s /proc/self/environ environ; ln -s /proc/1/fd/0 terminal
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1)'
name=$(printf 'a\033]0;owned\007\nb.txt'); echo x >"$name"
for file in pipe hole hard environ terminal socket "$name" /proc/self/environ /proc/kmsg /dev/zero /dev/tty /dev/stdin . .. "$A_HOME/engine.key"; do add "$file"; done
for file in idea.md ship-summary.md diagnosis.md; do rm -rf "$GATEHOUSE_ARTIFACTS/$file"; mkfifo "$GATEHOUSE_ARTIFACTS/$file"; done
"$A_NODE" "$A_LATTICE" skill lattice-diagnose >/dev/null; timeout 15 "$A_NODE" "$A_LATTICE" advance 2>&1 | head -n 2; exit 0
