# title: applies a patch with git
# success: product
# hooks: detected
git apply --unsafe-paths <<'PATCH'
--- a/src/app.js
+++ b/src/app.js
@@ -1 +1 @@
-export const answer = 41;
+export const answer = 42;
PATCH
patch -p1 <<'PATCH'
--- a/src/app.js
+++ b/src/app.js
@@ -1 +1 @@
-export const answer = 41;
+export const answer = 43;
PATCH
