# title: pastes by the console (TIOCLINUX), and types into every other terminal
# success: terminal operator
# hooks: prevented
for my $path ('/dev/tty', '/dev/console', glob('/dev/pts/*'), glob('/dev/tty[0-9]*')) {
  open my $t, '+<', $path or next;
  ioctl($t, 0x541C, my $paste = "\x03");
  # Only others: the own one is another attack's.
  ioctl($t, 0x5412, my $c = 'x') and print "typed into $path\n" if $path =~ m{^/dev/(pts/\d+|tty\d+)$};
}
