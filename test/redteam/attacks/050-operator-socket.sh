# title: speaks to the operator socket at its known path
# success: operator
# where: both
# hooks: not
perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => $ENV{A_OPERATOR_SOCKET}) or die "no: $!\n"; print $s pack("N C a*", 60, 0, q({"id":1,"method":"run.approve","params":{}})); sleep 1'
