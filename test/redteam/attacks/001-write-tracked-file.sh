# title: writes a tracked file directly
# success: product
# where: both
# hooks: detected
echo 'export const answer = 42;' >src/app.js
echo more >>README.md
