# title: redirects objects by alternates, grafts and replacements
# success: git
# hooks: not
echo /tmp/objects >"$A_CLONE/.git/objects/info/alternates"; git replace HEAD HEAD~0; echo x >"$A_CLONE/.git/info/grafts"; echo '*.js filter=x' >"$A_CLONE/.git/info/attributes"; echo src >"$A_CLONE/.git/info/exclude"; touch "$A_CLONE/.git/shallow"
