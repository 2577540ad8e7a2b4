// Attaching from the console, by keys, to a scripted agent that has reached gate 1. Only the screen is looked at.
import { describe, expect, test } from 'vitest';
import { builtPrograms } from '../support/paths.ts';
import { expectUntouched, openUnderShell, untilEnded } from '../support/shell-terminal.ts';
import type { TestTerminal } from '../support/terminal.ts';
import { recommendedLine } from './product.ts';
import { Site } from './site.ts';

const patient = { timeoutMs: 120_000 };

describe('attached from the console', () => {
  test('C043, C045: a message is typed and answered; the token prompt leads back; detaching restores all modes', {
    timeout: 400_000,
  }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted();
    const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null);
    await using terminal = open(site);
    await terminal.waitForText(waiting.task.id, patient);

    terminal.write('a');
    await terminal.waitForText('› Type a message', patient);
    await terminal.waitForText('Ctrl-]: d detach', patient);
    terminal.write('What do you remember of this?');
    await terminal.waitForText('› What do you remember of this?', patient);
    terminal.write('\r');
    await terminal.waitForText(/● I remember \d+ messages/, patient);

    // Undecided: back at the agent.
    terminal.write('\u001dt');
    await terminal.waitForText('You approve exactly this', patient);
    terminal.write('\u001b');
    await terminal.waitForText(/● I remember \d+ messages/, patient);
    await terminal.waitForText('› Type a message', patient);

    // Decided: back at the agent as well, which goes on.
    terminal.write('\u001dt');
    await terminal.waitForText('You approve exactly this', patient);
    terminal.write(recommendedLine(waiting));
    await terminal.waitForText(`> ${recommendedLine(waiting)}`, patient);
    terminal.write('\r');
    await terminal.waitForText('Recorded at', patient);
    terminal.write('\r');
    await terminal.waitForScreen(
      (lines) => lines.join('\n').includes('scripted agent · ') && !(lines[0] ?? '').startsWith(' gatehouse'),
      'the run itself',
      patient,
    );

    terminal.write('\u001d');
    await terminal.waitForText('d detach', patient);
    terminal.write('d');
    await terminal.waitForText(`detached from ${waiting.task.id}`, patient);
    expect(terminal.emulator.modes).toMatchObject({ mouseTrackingMode: 'none', sendFocusMode: false });
    terminal.write('q');
    const { code, left } = await untilEnded(terminal, patient);
    expect(code).toBe(0);
    expect(left.join('\n')).toMatch(/1 run goes on/);
    expectUntouched(terminal);
  });
});

function open(site: Site): TestTerminal {
  const command = [process.execPath, builtPrograms.gatehouse];
  return openUnderShell(command, { env: site.product.home.env, cols: 110, rows: 40 });
}
