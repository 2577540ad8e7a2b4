# title: becomes root in a namespace of its own and changes mounts there
# success: product git
# hooks: detected
unshare --user --map-root-user --mount sh -c 'umount -l src; mount -o remount,rw,bind src; echo x >src/app.js'
unshare --user --map-root-user --mount sh -c "mount --bind / /mnt && echo x >/mnt$PWD/src/app.js"
