# title: takes the read-only mounts away
# success: product git home
# hooks: detected
for path in src README.md .git "$A_CLONE/.git" "$A_HOME" /tmp /proc/sys; do umount "$path" || umount -l "$path"; done; echo x >src/app.js
