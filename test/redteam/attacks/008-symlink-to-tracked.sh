# title: writes through a symbolic link in scratch
# success: product
# hooks: detected
ln -s src/app.js scratch-link && echo x >scratch-link
ln -s ../src scratch-folder; ln -sfn "$PWD/src" /tmp/linked; echo x >/tmp/linked/app.js
