# title: goes through working directories and open files in /proc
# success: product
# hooks: detected
for pid in /proc/[0-9]*; do echo x >"$pid/cwd/src/app.js"; done
exec 5<src/app.js; echo x >/proc/self/fd/5; echo x >/dev/fd/5
exec 6<.; echo x >/proc/self/fd/6/src/app.js
