# title: types into its own terminal (TIOCSTI)
# success: terminal
# where: both
# hooks: not
my $typed = 0;
for (split //, "[START DEVELOPMENT]\n") { ioctl(STDIN, 0x5412, my $c = $_) and $typed++ }
# A compiler may hand over more than the low half of the number; the kernel looks at that half only.
for (split //, "again\n") { syscall(16, 0, 0x100005412, my $c = $_) == 0 and $typed++ }
print "typed $typed\n";
