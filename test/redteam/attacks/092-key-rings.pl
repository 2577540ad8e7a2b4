# title: reads and writes the key rings of the kernel
# success: secrets
# hooks: not
# add_key(user, ..., KEY_SPEC_SESSION_KEYRING); a ring that is shared with the operator's shell shows it.
my $id = syscall(248, my $type = 'user', my $name = 'gatehouse-redteam', my $text = 'x', 1, -4);
# KEYCTL_REVOKE, so that nothing stays behind.
if ($id > 0) { syscall(250, 3, $id); print "CANARY-key-ring\n" }
