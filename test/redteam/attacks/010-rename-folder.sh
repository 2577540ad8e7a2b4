# title: renames a tracked folder away and puts another in its place
# success: product
# hooks: detected
mv src old; mkdir src; echo x >src/app.js
