# title: writes refs as files
# success: git
# hooks: not
d=$A_CLONE/.git; git rev-parse HEAD >"$d/refs/heads/mine"; echo "$(git rev-parse HEAD) refs/heads/mine2" >>"$d/packed-refs"; echo 'ref: refs/heads/mine' >"$d/HEAD"; rm -f "$d/refs/heads/main"; git pack-refs --all; git gc -q --prune=now
