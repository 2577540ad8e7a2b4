# title: writes through a hard link in scratch
# success: product
# hooks: detected
ln src/app.js hard && echo x >hard
ln src/app.js /tmp/hard && echo x >/tmp/hard
ln README.md "$GATEHOUSE_ARTIFACTS/hard" && echo x >"$GATEHOUSE_ARTIFACTS/hard"
ln README.md node_modules-hard && echo x >node_modules-hard
