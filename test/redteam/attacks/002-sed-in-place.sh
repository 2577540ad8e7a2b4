# title: edits in place, by a temporary file and a rename
# success: product
# hooks: detected
sed -i s/41/42/ src/app.js
perl -pi -e s/41/42/ src/app.js
