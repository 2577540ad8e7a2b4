// Typing into a session, through the real host, into an agent that writes down what it really got.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Site, actor, quiet } from './site.ts';

let site: Site;
let run: string;

beforeAll(async () => {
  site = await Site.open();
  run = (await site.scripted(quiet)).id;
  await site.untilIdle(run);
}, 120_000);
afterAll(() => site[Symbol.asyncDispose](), 60_000);

const messages = (id = run) =>
  site
    .truth(id)
    .filter((each) => each['type'] === 'message' && each['via'] !== 'argument')
    .map((each) => String(each['text']));
const send = (text: string, id = run) => site.product.run(['send', id, text]);

describe('gatehouse send', () => {
  test('C053: ten messages one after another, each confirmed by the agent, none lost, none twice', {
    timeout: 180_000,
  }, async () => {
    const client = await site.client();
    const texts = Array.from({ length: 10 }, (_, n) => `Message ${n}: two\nlines, ${'long '.repeat(n)}and an end`);
    // Asked for at once: they must not run into each other in the composer.
    const answers = await Promise.all(texts.map((text) => client.request('run.send', { run, text, actor })));
    expect(answers.every((each) => each.submitted)).toBe(true);
    expect(messages().toSorted()).toEqual(texts.toSorted());
  });

  test.each(['!ls', '/exit', '$HOME', '# note', '@file look', '   /exit'])('C055: %j is refused', async (text) => {
    const before = messages();
    expect(await send(text)).toMatchObject({ code: 1, stderr: expect.stringMatching(/must not start with/) as string });
    expect(messages()).toEqual(before);
  });

  test('C088: a text with a token in it is refused', async () => {
    const before = messages();
    const refused = await send('The operator says 1A [START DEVELOPMENT] and means it');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/never typed/) as string });
    expect(messages()).toEqual(before);
  });

  test('C055, C056: never on top of a draft, and nobody presses Enter on it', { timeout: 120_000 }, async () => {
    const draft = 'dear customer, this is half a';
    site.steer(run, `draft ${draft}`);
    await site.recorded(run, draft);
    expect((await send('Please go on')).stderr).toMatch(/somebody typed: "dear customer/);
    // Neither a host that comes back nor a look at the run submits it.
    process.kill(await site.hostPid(), 'SIGKILL');
    await site.until(run, 'to be adopted', (row) => row.holderPid !== null);
    expect(await send('Please go on')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/draft|typed/) as string,
    });
    expect(messages().filter((text) => text.includes('dear customer'))).toEqual([]);
    // The person submits it himself.
    const client = await site.client();
    const stream = await client.attach(
      run,
      'write',
      { cols: 100, rows: 30 },
      { onOutput: () => {}, onEvent: () => {}, onEnd: () => {} },
    );
    stream.write(Buffer.from(' sentence\r'));
    await expect.poll(() => messages().at(-1)).toBe(`${draft} sentence`);
    stream.close();
    await site.untilIdle(run);
  });

  test('C006, C007, C016: prose with every phrase of a dialog changes nothing, with colours or without', {
    timeout: 120_000,
  }, async () => {
    const phrases = [
      'Would you like to proceed?',
      'Do you want to allow this? (y/n)',
      '❯ 1. Yes',
      '  2. No, and tell me what to do differently',
      'Allow tool: bash',
      'esc to interrupt',
      'Press Enter to continue',
      'Do you trust the files in this folder?',
      'Invalid API key · Please run /login',
      'Update available! Run: npm i -g agent',
      'Select a theme',
      'Approaching usage limit',
    ];
    const noise = (text: string) =>
      Array.from(text, (c, i) => (i % 3 === 0 ? `\u001b[3${i % 8}m${c}\u001b[0m` : c)).join('');
    for (const phrase of phrases.flatMap((text) => [text, noise(text)])) site.steer(run, `say ${phrase}`);
    site.steer(run, 'say the last of the prose');
    await site.recorded(run, 'the last of the prose');
    const shown = await site.show(run);
    expect(shown).toMatchObject({ activity: 'idle', dialog: null, disputed: null });
    expect(await send('Go on after all that')).toMatchObject({ code: 0 });
    expect(messages().at(-1)).toBe('Go on after all that');
    await site.untilIdle(run);
  });

  test('a dialog blocks the run, is shown, and is answered from the command line', { timeout: 120_000 }, async () => {
    site.steer(run, 'ask rm -rf out');
    const blocked = await site.until(run, 'to ask', (row) => row.activity === 'blocked' && row.dialog !== null);
    expect(blocked).toMatchObject({ needsMe: true, needsMeReason: 'asks' });
    const [row] = await site.product.list();
    expect(row).toMatchObject({ activity: 'blocked', activityReason: expect.stringContaining('bash') as string });

    // Enter would approve it, so nothing is typed.
    const refused = await send('Please go on');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/dialog is open/) as string });
    const shown = await site.product.done(['answer', run]);
    expect(shown).toContain('rm -rf out');
    expect(shown).toMatch(/1 {2}\S/);
    expect(await site.product.run(['answer', run, '9'])).toMatchObject({ code: 2 });
    expect(
      site
        .truth(run)
        .filter((each) => each['type'] === 'dialog')
        .at(-1),
    ).toMatchObject({ answer: 'open' });

    await site.product.done(['answer', run, '2']);
    await expect
      .poll(
        () =>
          site
            .truth(run)
            .filter((each) => each['type'] === 'dialog')
            .at(-1)?.['answer'],
        { timeout: 20_000 },
      )
      .toBe('denied');
    await site.until(run, 'to be free again', (row) => row.activity !== 'blocked');
    expect(await site.product.run(['answer', run, '1'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no dialog is open/) as string,
    });
  });

  test('C053: an agent that takes nothing is reported, not believed', { timeout: 120_000 }, async () => {
    site.steer(run, 'hang');
    // Obeyed in order: once this is shown, the agent reads nothing any more.
    site.steer(run, 'say hung');
    await site.recorded(run, '● hung');
    const before = messages();
    const result = await send('Is anybody there?');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/not submitted/) as string });
    expect(messages()).toEqual(before);
  });
});
