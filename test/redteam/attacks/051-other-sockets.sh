# title: speaks to the sockets of another run and to its own holder
# success: operator
# where: both
# hooks: not
for s in "$A_OTHER_SOCKET" "$A_HOLDER_SOCKET"; do S=$s perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => $ENV{S}) and print "connected\n"'; done
d=$(dirname "$A_OPERATOR_SOCKET"); ls -la "$d" "$d"/* ; find "$d" -type s 2>/dev/null | while read -r s; do [ "$s" = "$GATEHOUSE_RUN_SOCKET" ] || S=$s perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => $ENV{S}) and print "connected $ENV{S}\n"'; done
