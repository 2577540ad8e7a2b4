# title: writes through a read-only descriptor: mmap, fallocate, truncate, chmod
# success: product
# hooks: detected
chmod a+w src/app.js; chmod 777 src; chown $(id -u) src/app.js; chattr -i src/app.js
truncate -s 0 src/app.js; fallocate -p -o 0 -l 4 src/app.js; dd if=/dev/zero of=src/app.js bs=1 count=1 conv=notrunc
setfattr -n user.x -v 1 src/app.js; touch -d 2000-01-01 src/app.js; [ -s src/app.js ] || echo x >src/app.js
