# title: binds another file over a tracked one
# success: product
# hooks: detected
echo x >other; mount --bind other README.md; mount --bind "$GATEHOUSE_ARTIFACTS" src; echo x >src/app.js; mount -t tmpfs none src
