# title: makes artifacts pipes, folders and devices, so that a reader hangs
# success: host
# where: product
# hooks: prevented
# timeout: 60
cd "$GATEHOUSE_ARTIFACTS"; mkfifo diagnosis.md; timeout 10 lattice check; rm -f diagnosis.md; mkdir diagnosis.md; timeout 10 lattice check; rmdir diagnosis.md
ln -s /dev/zero diagnosis.md; timeout 10 lattice check; rm -f diagnosis.md; ln -s diagnosis.md diagnosis.md; timeout 10 lattice check; rm -f diagnosis.md; mkfifo idea.md review-report.md
cd - >/dev/null; mkfifo pipe; mkdir -p deep && ln -s ../deep deep/deep; timeout 10 lattice status; exit 0
