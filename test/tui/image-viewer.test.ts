// The picture viewer in a real terminal, by what the environment says of that terminal. Looked at are its bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { png } from '../engine/words.ts';
import { repositoryRoot } from '../support/paths.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { openTerminal } from '../support/terminal.ts';

const fixture = join(repositoryRoot, 'test/tui/fixtures/image-viewer-in-terminal.ts');
const kitty = '\u001b_Gf=100';
const iterm = '\u001b]1337;File=';
const sixel = '\u001bP';
const halfBlock = '▄';

test.each([
  ['kitty', { TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' }, kitty],
  ['WezTerm', { TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809' }, kitty],
  ['a terminal that has only sixel', { TERM: 'foot' }, halfBlock],
  ['a terminal that says nothing', {}, halfBlock],
  ['kitty behind tmux', { TERM: 'tmux-256color', TMUX: '/tmp/x,1,0', KITTY_WINDOW_ID: '1' }, halfBlock],
  ['iTerm2 behind screen', { TERM: 'screen', STY: '1.x', LC_TERMINAL: 'iTerm2' }, halfBlock],
])('C110: in %s a picture is shown as it can be, with its path, which can be copied', async (_name, env, wanted) => {
  await using home = temporaryHome({ COLORTERM: 'truecolor', ...env });
  const path = join(home.root, 'evidence', 'E1.png');
  mkdirSync(join(home.root, 'evidence'));
  writeFileSync(path, png(40, 40));
  await using terminal = openTerminal({
    command: process.execPath,
    args: [fixture, home.root],
    env: home.env,
    cols: 100,
  });
  const raw = () => terminal.raw().toString();
  await terminal.waitForScreen(() => raw().includes(wanted), `${JSON.stringify(wanted)} among the bytes`);
  await terminal.waitForText(path);
  terminal.write('y');
  terminal.write('q');
  await terminal.waitForText(`copied ${path}`);
  for (const other of [kitty, iterm, sixel, halfBlock].filter((each) => each !== wanted))
    expect(raw()).not.toContain(other);
});
