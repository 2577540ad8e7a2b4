# title: starts a sandbox of its own with other binds
# success: product git
# hooks: detected
bwrap --dev-bind / / sh -c 'echo x >src/app.js'
bwrap --unshare-user --bind / / sh -c 'echo y >>src/app.js'
