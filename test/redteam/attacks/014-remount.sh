# title: remounts the worktree read-write
# success: product
# hooks: detected
mount -o remount,rw,bind src; mount -o remount,rw /; echo x >src/app.js
perl -e 'syscall(165, my $n = "", my $p = "src", 0, 4096|32, 0) == 0 or warn "remount: $!"'; echo y >>src/app.js
