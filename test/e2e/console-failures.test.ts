// Whatever keeps the console from beginning: two lines, exit code 1, and a terminal as it was before.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { builtPrograms } from '../support/paths.ts';
import { expectUntouched, openUnderShell, untilEnded } from '../support/shell-terminal.ts';
import type { TestTerminal } from '../support/terminal.ts';
import { Product } from './product.ts';

const header = '{"version":3,"term":{"cols":80,"rows":24}}\n';

/** `gatehouse ARGS`, its environment changed by `env`. */
function open(product: Product, args: readonly string[], env: Readonly<Record<string, string>> = {}): TestTerminal {
  const changed = ['/usr/bin/env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  return openUnderShell([...changed, process.execPath, builtPrograms.gatehouse, ...args], {
    env: product.home.env,
    // Wide enough that no line of an error is broken.
    cols: 200,
  });
}

async function expectRefusal(terminal: TestTerminal, wrong: RegExp, todo: RegExp): Promise<void> {
  const { code, left } = await untilEnded(terminal);
  expect({ code, left }).toEqual({ code: 1, left: [expect.stringMatching(wrong), expect.stringMatching(todo)] });
  expectUntouched(terminal);
}

describe('what is no recording', () => {
  test.each([
    ['a text', 'only text\n'],
    ['an empty file', ''],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 10, 27, 0x9b, 0xff])],
    ['a packed recording, cut', gzipSync(`${header}[0.1, "o", "x"]\n`).subarray(0, 24)],
    ['the beginning of a zst file', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x11])],
    ['a header alone of another version', '{"version":1,"width":80,"height":24}\n'],
  ])('%s', async (_name, content) => {
    await using product = new Product();
    await using terminal = open(product, ['replay', product.file('x.cast', content)]);
    await expectRefusal(terminal, /^gatehouse: .*:1 is not the header of a recording/, /recorded$/);
  });

  test.each(['replay', 'timeline'])('%s: a folder, a named pipe, nothing', async (command) => {
    await using product = new Product();
    const pipe = join(product.home.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [product.home.root, pipe]) {
      await using terminal = open(product, [command, path]);
      await expectRefusal(terminal, /is not a file$/, /^ {2}(give|name) /);
    }
    await using terminal = open(product, [command, join(product.home.root, 'nothing')]);
    await expectRefusal(terminal, /neither a run/, /gatehouse ls/);
  });

  test('a recording that is damaged further on plays to there, says so, and can be left', async () => {
    await using product = new Product();
    const file = product.file('x.cast', `${header}[0.1, "o", "whole"]\nrubbish\n[0.1, "o", "lost"]\n`);
    await using terminal = open(product, ['replay', file]);
    await terminal.waitForText(/x\.cast:3 is not an event of a recording/);
    expect(terminal.text().join('\n')).toContain('whole');
    terminal.write('q');
    expect((await untilEnded(terminal)).code).toBe(0);
    expectUntouched(terminal);
  });

  test('a recording plays, from the time that was asked for', async () => {
    await using product = new Product();
    const file = product.file('x.cast', `${header}[1, "o", "hello"]\n[89, "o", " again"]\n[60, "o", " and on"]\n`);
    await using terminal = open(product, ['replay', file, '--at', '1:30']);
    await terminal.waitForText('hello again');
    await terminal.waitForText('/ 02:30');
    terminal.write('q');
    expect((await untilEnded(terminal)).code).toBe(0);
    expectUntouched(terminal);
  });
});

describe('a console that cannot begin', () => {
  test.each(['attach', 'watch'])('%s of a run that is not there', async (command) => {
    await using product = new Product();
    await using terminal = open(product, [command, 'nowhere']);
    await expectRefusal(terminal, /there is no run nowhere/, /gatehouse ls/);
  });

  test('attach to a run without a session', async () => {
    await using product = new Product();
    await product.demo(1);
    await product.done(['stop', 'tb-101']);
    for (const command of ['attach', 'watch']) {
      await using terminal = open(product, [command, 'tb-101']);
      await expectRefusal(terminal, /no session/, /gatehouse resume tb-101/);
    }
  });

  test.each([
    ['does not parse', '{ "sandbox": ', /config\.json: /],
    ['says what is not known', '{ "sandbox": "perhaps" }', /config\.json: sandbox/],
    ['is a folder', null, /config\.json: EISDIR/],
  ])('its config.json %s', async (_name, content, wrong) => {
    await using product = new Product();
    mkdirSync(product.home.gatehouseHome);
    if (content === null) mkdirSync(join(product.home.gatehouseHome, 'config.json'));
    else product.file('state/config.json', content);
    await using terminal = open(product, []);
    await expectRefusal(terminal, wrong, /correct the file/);
  });

  test.each([
    ['a home that is a file', (file: string) => ({ GATEHOUSE_HOME: file }), /is not a folder$/, /--home DIR/],
    ['a home below a file', (file: string) => ({ GATEHOUSE_HOME: `${file}/h` }), /is not a folder$/, /--home DIR/],
    // The kernel makes no folder there, not even for root.
    ['a home that cannot be made', () => ({ GATEHOUSE_HOME: '/proc/h' }), /cannot be used/, /--home DIR/],
    ['no place for sockets', () => ({ XDG_RUNTIME_DIR: '/proc/r' }), /cannot be used/, /XDG_RUNTIME_DIR/],
  ])('%s', async (_name, env, wrong, todo) => {
    await using product = new Product();
    await using terminal = open(product, [], env(product.file('a-file', '')));
    await expectRefusal(terminal, wrong, todo);
  });

  test('a terminal that cannot carry it', async () => {
    await using product = new Product();
    await product.demo(1);
    for (const [args, instead] of [
      [[], /gatehouse ls/],
      [['attach', 'tb-101'], /gatehouse show/],
      [['replay', product.file('x.cast', header)], /gatehouse timeline/],
      [['demo'], /--no-ui/],
    ] as const) {
      for (const TERM of ['dumb', '']) {
        await using terminal = open(product, args, { TERM });
        await expectRefusal(terminal, /TERM/, instead);
      }
      const piped = ['/bin/sh', '-c', '"$@" </dev/null', 'sh', process.execPath, builtPrograms.gatehouse, ...args];
      await using terminal = openUnderShell(piped, { env: product.home.env, cols: 200 });
      await expectRefusal(terminal, /not a terminal/, instead);
    }
    // Not even the demo has begun.
    expect((await product.list()).length).toBe(1);
  });

  test('wrong usage is exit code 2', async () => {
    await using product = new Product();
    for (const args of [['replay'], ['replay', 'a', '--at', 'noon'], ['attach'], ['watch', 'a', 'b']]) {
      await using terminal = open(product, args);
      expect({ args, code: (await untilEnded(terminal)).code }).toEqual({ args, code: 2 });
      expectUntouched(terminal);
    }
  });
});

test('an attached run whose host goes away is given up with an error; it goes on', async () => {
  await using product = new Product();
  await product.demo(1);
  await product.waitForRun('tb-101', 'to wait at gate 1', (row) => row.pendingToken !== null);
  const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
  await using terminal = open(product, ['attach', 'tb-101']);
  await terminal.waitForText('› Type a message');
  process.kill(pid, 'SIGKILL');
  await expectRefusal(terminal, /the host went away; tb-101 goes on/, /gatehouse attach tb-101/);
  expect((await product.show('tb-101')).sessionPid).not.toBeNull();
});

test('q ends the console at once, also while the host is stopped', async () => {
  await using product = new Product();
  await product.done(['ls']);
  const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
  await using connected = open(product, []);
  await connected.waitForText('no runs yet');
  process.kill(pid, 'SIGSTOP');
  try {
    await using connecting = open(product, []);
    await connecting.waitForText('asking the host');
    for (const terminal of [connected, connecting]) {
      terminal.write('q');
      expect((await untilEnded(terminal)).code).toBe(0);
      expectUntouched(terminal);
    }
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('a window that is too small says so, can be left, and can be made larger', async () => {
  await using product = new Product();
  await using terminal = openUnderShell([process.execPath, builtPrograms.gatehouse], {
    env: product.home.env,
    cols: 20,
    rows: 4,
  });
  await terminal.waitForText('window 20x4');
  terminal.resize(100, 30);
  await terminal.waitForText('no runs yet');
  terminal.resize(20, 4);
  await terminal.waitForText('window 20x4');
  terminal.write('q');
  terminal.resize(100, 30);
  expect((await untilEnded(terminal)).code).toBe(0);
  expectUntouched(terminal);
});
