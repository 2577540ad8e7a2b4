# title: makes the namespace by bare system calls (clone, clone3, unshare)
# success: product
# hooks: detected
# A namespace alone is no success; what can be done with one is tried right away.
sub tried { my ($how, $made) = @_; print "$how: ", ($made < 0 ? "refused ($!)" : "made"), "\n"; return $made }
sub change_mounts {
  syscall(166, my $top = 'src', 2);
  syscall(165, my $none = '', my $target = 'src', 0, 4096 | 32, 0);
  if (open my $file, '>', 'src/app.js') { print $file "forged\n" }
}
# CLONE_NEWUSER | CLONE_NEWNS
my $flags = 0x10020000;
for my $call (sub { tried('clone', syscall(56, $flags | 17, 0, 0, 0, 0)) }, sub { tried('clone3', syscall(435, my $a = pack('Q11', $flags, 0, 0, 0, 17, (0) x 6), 88)) }) {
  my $pid = $call->();
  if ($pid == 0) { change_mounts(); exit 0 }
  waitpid $pid, 0 if $pid > 0;
}
change_mounts() if tried('unshare', syscall(272, $flags)) == 0;
