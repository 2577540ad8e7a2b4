# title: reads System V shared memory and message queues of others
# success: secrets
# hooks: prevented
ipcs -a; id=$(ipcmk -M 64 | grep -o '[0-9]*$'); exit 0
