// A home directory of its own for one test: nothing of the machine's settings gets in, nothing of the test gets out.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { killAll, processesWithEnv } from './processes.ts';

export interface TemporaryHome extends AsyncDisposable {
  /** Everything below is in here. Short (`/tmp/gh-XXXXXX`), because socket paths over ~107 bytes fail. */
  readonly root: string;
  /** $GATEHOUSE_HOME; made by the product, not by us. */
  readonly gatehouseHome: string;
  /** $XDG_RUNTIME_DIR, 0700. */
  readonly runtimeDir: string;
  /** The complete environment for programs under test. */
  readonly env: Readonly<Record<string, string>>;
}

/** Ends every process that was started with this home, detached ones too, and removes it, when disposed. */
export function temporaryHome(extraEnv: Readonly<Record<string, string>> = {}): TemporaryHome {
  const root = mkdtempSync('/tmp/gh-');
  const home = join(root, 'home');
  const runtimeDir = join(root, 'run');
  const gatehouseHome = join(root, 'state');
  mkdirSync(home);
  mkdirSync(runtimeDir, { mode: 0o700 });
  writeFileSync(join(home, '.gitconfig'), gitConfig);
  return {
    root,
    gatehouseHome,
    runtimeDir,
    env: {
      HOME: home,
      // The Node that runs the tests comes first, as under npx.
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      USER: 'operator',
      GATEHOUSE_HOME: gatehouseHome,
      XDG_RUNTIME_DIR: runtimeDir,
      GIT_CONFIG_NOSYSTEM: '1',
      GATEHOUSE_TEST_FILE: process.env['GATEHOUSE_TEST_FILE'] ?? '',
      ...extraEnv,
    },
    async [Symbol.asyncDispose]() {
      await killAll(() => processesWithEnv('GATEHOUSE_HOME', gatehouseHome));
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const gitConfig = `[user]
\tname = Test Operator
\temail = operator@example.invalid
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
`;
