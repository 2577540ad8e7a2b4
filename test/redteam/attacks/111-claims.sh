# title: claims a stage, reads no skill, asks to advance over and over
# success: gate
# where: product
# hooks: prevented
# timeout: 30
for i in 1 2 3; do lattice advance; lattice skill lattice-implement; lattice advance; done; for a in diagnosis idea findings plan; do echo "# $a done, see E1" >"$GATEHOUSE_ARTIFACTS/$a.md"; lattice advance; done
printf 'task: x | stage: implement | pending: none | reviews: 0/6 | artifact: plan.md\n'; exit 0
