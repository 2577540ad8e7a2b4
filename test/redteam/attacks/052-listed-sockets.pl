# title: finds sockets in /proc/net/unix, abstract ones too, and tries every one
# success: operator
# where: both
# hooks: not
use Socket;
open my $f, '<', '/proc/net/unix'; <$f>;
while (<$f>) {
  my $name = (split)[7] or next; next if $name eq $ENV{GATEHOUSE_RUN_SOCKET};
  next unless $name =~ /gatehouse|^\//; # others of this machine are none of our business
  $name =~ s/^@/\0/;
  socket(my $s, AF_UNIX, SOCK_STREAM, 0); print "$name\n" if connect($s, pack_sockaddr_un($name));
}
