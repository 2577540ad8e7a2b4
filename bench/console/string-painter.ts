// The reference for the console's key to paint: the same sixty rows, painted as strings with no layout and no framework.
const runs = Number(process.argv[2] ?? 60);
const busy = Number(process.argv[3] ?? 20);
let selected = 0;
let tick = 0;
const rows = Array.from({ length: runs }, (_, index) => rowText(index));
let shown: string[] = [];

function rowText(index: number): string {
  const last = index < busy ? `step ${tick} of something long` : 'waiting';
  return `TB-${101 + index}  Some title of a task that is as long as titles are  scripted  4/10 ━━━━┄┄┄┄┄┄ 0/6 [START DEVELOPMENT] working 12m ${last}`;
}

function paint(): void {
  const height = (process.stdout.rows || 24) - 2;
  const top = Math.max(0, Math.min(selected - height + 1, runs - height));
  let out = '';
  for (let y = 0; y < height; y++) {
    const text = `${top + y === selected ? '▸' : ' '} ${rows[top + y] ?? ''}`.slice(0, process.stdout.columns || 80);
    if (shown[y] === text) continue;
    shown[y] = text;
    out += `\u001b[${y + 2};1H${text}\u001b[K`;
  }
  if (out !== '') process.stdout.write(out);
}

process.stdin.setRawMode(true);
process.stdin.on('data', (bytes) => {
  const key = bytes.toString();
  if (key === 'q') process.exit(0);
  if (key === 'j') selected = Math.min(runs - 1, selected + 1);
  if (key === 'k') selected = Math.max(0, selected - 1);
  if (key === 'G') selected = runs - 1;
  paint();
});
process.stdout.write('\u001b[?1049h\u001b[?25l');
paint();
setInterval(() => {
  tick += 1;
  for (let index = 0; index < busy; index++) rows[index] = rowText(index);
  paint();
}, 250);
