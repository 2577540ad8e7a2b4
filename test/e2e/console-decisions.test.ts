// Looking into what an agent did, and sending its finished work back: the console of the built product, by keys alone.
import { describe, expect, test } from 'vitest';
import { type TestTerminal, openBuilt } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { asked, patient, taskInTitle, type } from './at-the-console.ts';
import { Product } from './product.ts';

/** An agent that has a change reviewed and verified, on a busy machine. */
const patientWithWork = { timeoutMs: 240_000 };

describe('the console, by keys alone', () => {
  test('the timeline tells what the agent was told, did and said, and grows with the run', {
    timeout: 600_000,
  }, async () => {
    await using product = new Product();
    await product.done(['demo', '--no-ui', '--runs', '1', '--tempo', '0']);
    await using terminal = openBuilt('gatehouse', { env: product.home.env, cols: 120, rows: 50 });
    await terminal.waitForText('! 1 needs me', patient);
    terminal.write('l');
    await terminal.waitForText('› Timeline', patient);
    // It begins with its end: the proposal waits.
    await terminal.waitForText(/stage +draft -> await-development \(agent\)/, patient);
    expect(screen(terminal)).toMatch(/tool +bash: lattice advance/);
    await atItsEnd(terminal, /says +.*please look at it and decide/);
    expect(screen(terminal)).not.toContain('start -> initialize');

    terminal.write('g');
    await terminal.waitForText(/stage +start -> initialize/, patient);
    await terminal.waitForText(/told +\S/, patient);
    await terminal.waitForText(/tool +bash: lattice skill lattice-diagnose/, patient);
    terminal.write('/');
    await type(terminal, 'draft ->');
    terminal.write('\r');
    await terminal.waitForText(/draft -> await-development/, patient);

    // From here the gate is opened, and what follows is in the timeline without leaving it.
    terminal.write('t');
    await terminal.waitForText('You approve exactly this', patient);
    await type(terminal, asked(terminal, '[START DEVELOPMENT]'));
    terminal.write('\r');
    await terminal.waitForText('Recorded at', patient);
    terminal.write('q');
    await terminal.waitForText('› Timeline', patient);
    await atItsEnd(terminal, /stage +verify -> await-testing \(agent\)/);
    expect(screen(terminal)).toContain('› Timeline');
    terminal.write('g');
    await terminal.waitForText(/stage +start -> initialize/, patient);
  });

  test('a finished change is sent back at gate 2, is mended, reviewed again, and then let through', {
    timeout: 900_000,
  }, async () => {
    await using product = new Product();
    await product.done(['demo', '--no-ui', '--runs', '1', '--tempo', '0']);
    await using terminal = openBuilt('gatehouse', { env: product.home.env, cols: 110, rows: 44 });
    await terminal.waitForText('! 1 needs me', patient);
    await approve(terminal, '[START DEVELOPMENT]');
    await terminal.waitForText(/9\/10 .*SUBMIT FOR TESTING/, patientWithWork);
    expect(screen(terminal)).toMatch(/ 1\/6 /);

    terminal.write('\r');
    await terminal.waitForText('› Package', patient);
    const task = taskInTitle(terminal);
    terminal.write('T');
    await terminal.waitForText('What should be different?', patient);
    await type(terminal, 'Name the limit in the text as well.');
    terminal.write('\r');
    await terminal.waitForText(`Send ${task} back with this text?`, patient);
    // Any other key goes on writing, and nothing is sent.
    terminal.write('n');
    await terminal.waitForScreen((rows) => !rows.join('\n').includes('Send TB-'), 'the text again', patient);
    terminal.write('\r');
    await terminal.waitForText(`Send ${task} back with this text?`, patient);
    terminal.write('y');
    await terminal.waitForText(`${task} was sent back`, patient);

    // The agent answers it in patch; a review more, and the next round waits for the same decision.
    terminal.write('6');
    await terminal.waitForText('Name the limit in the text as well.', patient);
    await terminal.waitForText(/await-testing → patch +operator/, patient);
    await terminal.waitForText(/patch → review +agent/, patientWithWork);
    await terminal.waitForText(/review 2 found no blocker/, patientWithWork);
    terminal.write('q');
    await terminal.waitForText(/9\/10 .*SUBMIT FOR TESTING/, patientWithWork);
    expect(screen(terminal)).toMatch(/ 2\/6 /);
    await approve(terminal, '[SUBMIT FOR TESTING]');
    await terminal.waitForText('✓ 1 done', patientWithWork);
    terminal.write('q');
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});

/** Opens the gate of the selected run from the grid. */
async function approve(terminal: TestTerminal, token: string): Promise<void> {
  terminal.write('t');
  await terminal.waitForText('You approve exactly this', patient);
  await type(terminal, asked(terminal, token));
  terminal.write('\r');
  await terminal.waitForText('Recorded at', patient);
  terminal.write('q');
  await terminal.waitForText(/needs? me/, patient);
}

/** Goes to the end, again and again, until it shows what is looked for. */
function atItsEnd(terminal: TestTerminal, wanted: RegExp): Promise<boolean> {
  const look = () => {
    if (wanted.test(screen(terminal))) return true;
    terminal.write('G');
    return false;
  };
  return waitFor(look, {
    what: () => `${wanted} on the screen:\n${screen(terminal)}`,
    intervalMs: 500,
    ...patientWithWork,
  });
}

function screen(terminal: TestTerminal): string {
  return terminal.text().join('\n');
}
