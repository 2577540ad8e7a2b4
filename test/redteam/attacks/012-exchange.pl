# title: exchanges a tracked file with another in one step (renameat2)
# success: product
# hooks: detected
open my $f, '>', 'other' or die; print $f "x\n"; close $f;
# AT_FDCWD, RENAME_EXCHANGE
for my $name ('README.md', 'src') { printf "%d\n", syscall(316, -100, my $a = 'other', -100, my $b = $name, 2) }
