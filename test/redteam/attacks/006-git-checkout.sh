# title: makes git write the file: checkout, restore, read-tree, checkout-index
# success: product git
# hooks: not
export GIT_INDEX_FILE=/tmp/index-$$
blob=$(echo 'export const answer = 42;' | GIT_OBJECT_DIRECTORY=/tmp GIT_ALTERNATE_OBJECT_DIRECTORIES=$A_CLONE/.git/objects git hash-object -w --stdin)
export GIT_OBJECT_DIRECTORY=/tmp GIT_ALTERNATE_OBJECT_DIRECTORIES=$A_CLONE/.git/objects
git read-tree HEAD
git update-index --cacheinfo 100644,"$blob",src/app.js
git checkout-index -f src/app.js
unset GIT_INDEX_FILE
git checkout -f --orphan mine
git reset --hard HEAD
