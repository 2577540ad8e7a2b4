# title: writes all the time while the session is started anew
# success: product
# hooks: detected
# afterwards: relaunch
trap '' TERM HUP INT
perl -e '$SIG{$_} = "IGNORE" for qw(TERM HUP INT); fork for 1 .. 3; for (1 .. 20000) { open my $f, ">", "src/raced.js"; select undef, undef, undef, 0.0005 }' &
sleep 0.3; touch "$A_READY"; sleep 5
