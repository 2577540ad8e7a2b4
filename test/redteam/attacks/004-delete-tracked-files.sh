# title: removes tracked files
# success: product
# hooks: detected
rm -rf src README.md .gitignore
