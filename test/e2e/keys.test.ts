// A person at the console, on the real product: keys in, and nothing looked at but the screen.
import { describe, expect, test } from 'vitest';
import { openBuilt } from '../support/terminal.ts';
import { asked, patient, select, taskInTitle, titled, type } from './at-the-console.ts';
import { Product } from './product.ts';

describe('the console, by keys alone', () => {
  test('from the proposal to ready for testing; another is sent back, another is stopped', {
    timeout: 600_000,
  }, async () => {
    await using product = new Product();
    await product.done(['demo', '--no-ui', '--runs', '4', '--tempo', '0']);
    await using terminal = openBuilt('gatehouse', { env: product.home.env, cols: 110, rows: 44 });
    await terminal.waitForText('! 4 need me', patient);

    // Gate 1 of the first run that needs me.
    terminal.write('!');
    await terminal.waitForText(/^▸ ! TB-/m, patient);
    terminal.write('\r');
    await terminal.waitForText('› Proposal', patient);
    const task = taskInTitle(terminal);
    await terminal.waitForText(/Summary|Problem|Proposal/, patient);
    terminal.write('t');
    await terminal.waitForText('You approve exactly this', patient);
    await terminal.waitForText('idea.md', patient);
    const line = asked(terminal, '[START DEVELOPMENT]');

    terminal.write(`\u001b[200~${line}\u001b[201~`);
    await terminal.waitForText('A paste is refused', patient);
    terminal.write('\r');
    await terminal.waitForText('Not sent', patient);
    await type(terminal, line);
    await terminal.waitForText(`> ${line}`, patient);
    terminal.write('\r');
    await terminal.waitForText('Recorded at', patient);

    // The next one that needs me goes back to its author.
    terminal.write('!');
    await terminal.waitForScreen(
      () => titled(terminal, 'Proposal') && taskInTitle(terminal) !== task,
      'another proposal',
      patient,
    );
    const other = taskInTitle(terminal);
    terminal.write('T');
    await terminal.waitForText('What should be different?', patient);
    await type(terminal, 'Say what happens to open orders.');
    terminal.write('\r');
    await terminal.waitForText('Send TB-', patient);
    terminal.write('y');
    await terminal.waitForText(`${other} was sent back`, patient);
    terminal.write('6');
    await terminal.waitForText('Say what happens to open orders.', patient);
    terminal.write('q');

    // Gate 2 of the first, once it has got there by itself.
    await terminal.waitForText(new RegExp(`${task} .*SUBMIT FOR TESTING`), patient);
    await select(terminal, task);
    terminal.write('\r');
    await terminal.waitForText('› Package', patient);
    terminal.write('d');
    await terminal.waitForText(/^\s*@@ /m, patient);
    terminal.write('s');
    await terminal.waitForText('› Images', patient);
    terminal.write('t');
    await terminal.waitForText('Gate 2: may it go to testing?', patient);
    await terminal.waitForText(/tree +[0-9a-f]{16}/, patient);
    await type(terminal, '[SUBMIT FOR TESTING]');
    terminal.write('\r');
    await terminal.waitForText('Recorded at', patient);
    terminal.write('q');
    await terminal.waitForText('› Images', patient);
    terminal.write('q');
    await terminal.waitForText('✓ 1 done', patient);

    // Another one is stopped, by its whole id only.
    await select(terminal, other);
    terminal.write('X');
    await terminal.waitForText('Type the run id to stop it', patient);
    await type(terminal, other.slice(0, -1).toLowerCase());
    terminal.write('\r');
    await terminal.waitForText('nothing was stopped', patient);
    await type(terminal, other.slice(-1));
    terminal.write('\r');
    await terminal.waitForText(`${other.toLowerCase()} is stopped`, patient);

    terminal.write('q');
    await terminal.waitForText(/the console is closed; 3 runs go on/, patient);
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});
