import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkConfig, checkHome, checkSockets } from '../../src/cli/doctor/home.ts';
import { checkLimits, checkLogout, type LogoutFacts } from '../../src/cli/doctor/limits.ts';
import { checkNode, judgeGit } from '../../src/cli/doctor/programs.ts';
import { renderDoctor } from '../../src/cli/doctor/render-doctor.ts';
import { checkTerminal, type TerminalFacts } from '../../src/cli/doctor/terminal.ts';
import { plain } from '../../src/cli/paint.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { temporaryHome } from '../support/temporary-home.ts';

const limits = (open: string, processes: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \n` +
  `Max processes             ${processes}               ${processes}               processes \n` +
  `Max open files            ${open}                1048576              files     \n`;

describe('programs', () => {
  test('old Node and old or missing git prevent runs', () => {
    expect(checkNode('20.20.2', '/usr/bin/node').status).toBe('fail');
    expect(checkNode('24.1.0', '/usr/bin/node').status).toBe('ok');
    expect(judgeGit('git version 2.37.9\n').status).toBe('fail');
    expect(judgeGit('git version 2.39.5\n').status).toBe('ok');
    expect(judgeGit('git version 3.0.0 (Apple Git-1)\n').status).toBe('ok');
    expect(judgeGit(null).todo).toContain('install git');
  });
});

describe('limits', () => {
  const facts = { limits: limits('1024', '9000'), watches: '524288\n', instances: '1024\n', groupProcesses: 'max\n' };
  const byName = (change: Partial<typeof facts>) =>
    Object.fromEntries(checkLimits({ ...facts, ...change }).map((check) => [check.name, check]));

  test('the soft limit counts, and too few open files are named with what to do', () => {
    expect(byName({})['open files']?.status).toBe('warn');
    expect(byName({ limits: limits('64', '9000') })['open files']?.status).toBe('fail');
    expect(byName({ limits: limits('unlimited', 'unlimited') })['open files']?.status).toBe('ok');
    expect(byName({})['open files']?.todo).toContain('ulimit -n');
  });

  test('a control group can allow fewer processes than the user limit', () => {
    expect(byName({})['processes']?.status).toBe('ok');
    expect(byName({ groupProcesses: '100\n' })['processes']).toMatchObject({ status: 'fail' });
    expect(byName({ groupProcesses: '100\n' })['processes']?.says).toContain('control group');
  });

  test('few file watches', () => {
    expect(byName({ watches: '8192' })['file watches']?.status).toBe('warn');
    expect(byName({ instances: '16' })['file watches']?.status).toBe('warn');
  });
});

describe('C028: doctor says whether runs outlive a logout', () => {
  const facts: LogoutFacts = {
    systemd: true,
    linger: false,
    killsUserProcesses: true,
    user: 'ada',
    socketDir: '/tmp/gatehouse-x',
  };

  test('KillUserProcesses without lingering ends them', () => {
    expect(checkLogout(facts)).toMatchObject({ status: 'warn', todo: 'loginctl enable-linger ada' });
  });

  test('lingering keeps them', () => {
    expect(checkLogout({ ...facts, linger: true }).status).toBe('ok');
  });

  test('the folder of the sockets goes with the last logout', () => {
    const killsNothing = { ...facts, killsUserProcesses: false };
    expect(checkLogout(killsNothing).status).toBe('ok');
    expect(checkLogout({ ...killsNothing, socketDir: '/run/user/1000/gatehouse-x' }).status).toBe('warn');
  });

  test('what logind does not tell is not called fine', () => {
    expect(checkLogout({ ...facts, linger: null, killsUserProcesses: null }).status).toBe('warn');
    expect(checkLogout({ ...facts, systemd: false }).status).toBe('ok');
  });
});

describe('terminal', () => {
  const facts: TerminalFacts = {
    isTTY: true,
    cols: 120,
    rows: 40,
    colourDepth: 24,
    env: { TERM: 'xterm-256color', LANG: 'de_DE.UTF-8' },
  };
  const statuses = (change: Partial<TerminalFacts>) =>
    checkTerminal({ ...facts, ...change }).map((check) => check.status);

  test('size, TERM and locale', () => {
    expect(statuses({})).toEqual(['ok', 'ok']);
    expect(statuses({ cols: 60 })).toEqual(['warn', 'ok']);
    expect(statuses({ env: { LANG: 'C.UTF-8' } })).toEqual(['fail', 'ok']);
    expect(statuses({ env: { TERM: 'xterm', LC_ALL: 'C', LANG: 'C.UTF-8' } })).toEqual(['ok', 'warn']);
  });
});

describe('home', () => {
  test('others may not look into it', async () => {
    await using home = temporaryHome();
    mkdirSync(home.gatehouseHome, { mode: 0o700 });
    expect((await checkHome(home.gatehouseHome)).map((check) => check.status)).toEqual(['ok', 'ok']);
    chmodSync(home.gatehouseHome, 0o755);
    expect((await checkHome(home.gatehouseHome))[0]).toMatchObject({
      status: 'warn',
      todo: `chmod 700 ${home.gatehouseHome}`,
    });
  });

  test('one that is not there yet is no fault', async () => {
    await using home = temporaryHome();
    expect((await checkHome(join(home.root, 'not', 'there')))[0]?.status).toBe('ok');
  });

  test('config.json is named when it is wrong, and never touched', async () => {
    await using home = temporaryHome();
    const path = join(home.root, 'config.json');
    expect((await checkConfig(path)).check.status).toBe('ok');
    writeFileSync(path, '{"tokens": {"development": ""}}');
    const { check } = await checkConfig(path);
    expect(check).toMatchObject({ status: 'fail' });
    expect(check.says).toContain('tokens.development');
    writeFileSync(path, '{"approvals": {"signature": "require", "allowedSigners": "signers"}}');
    expect((await checkConfig(path)).check.says).toContain('signers');
    writeFileSync(join(home.root, 'signers'), '');
    expect((await checkConfig(path)).check.status).toBe('ok');
  });

  test('a socket path that is too long prevents runs', () => {
    expect(checkSockets(homePaths('/home/ada', { XDG_RUNTIME_DIR: '/run/user/1000' })).status).toBe('ok');
    const paths = homePaths('/home/ada');
    expect(checkSockets({ ...paths, operatorSocket: `/${'x'.repeat(107)}` }).status).toBe('fail');
  });
});

test('advice stands below its line, and the last line says whether runs work', () => {
  const text = renderDoctor(
    [
      { name: 'git', status: 'fail', says: 'git does not answer', todo: 'install git' },
      { name: 'disk', status: 'ok', says: '9 GiB free\u001b[2J', todo: '' },
    ],
    plain,
  );
  expect(text).toBe(
    'FAIL  git   git does not answer\n      -> install git\nok    disk  9 GiB free\n\nruns cannot work here until this is put right: git',
  );
});
