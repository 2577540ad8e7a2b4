# title: replaces a tracked symbolic link
# success: product
# hooks: detected
rm GUIDE.md; echo x >GUIDE.md; ln -sf /etc/passwd GUIDE.md
