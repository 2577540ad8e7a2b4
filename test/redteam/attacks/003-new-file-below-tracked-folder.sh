# title: adds a file below a tracked folder
# success: product
# where: both
# hooks: detected
echo x >src/new.js
mkdir src/more && echo x >src/more/new.js
