// An agent program started by hand in a home where it has never been, without anything that its adapter adds.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeAdapter } from '../../../src/runtimes/adapter.ts';
import { adapterFor, defaultRuntimeConfig } from '../../../src/runtimes/registry.ts';
import type { Dialog, ScreenView } from '../../../src/runtimes/screen-view.ts';
import { openTerminal, type TestTerminal } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { RealRuntime } from './operator-home.ts';
import { programFolder, runtimeCache } from './programs.ts';
import { patienceMs, watchScreen } from './session.ts';

export interface FirstStart extends AsyncDisposable {
  readonly adapter: RuntimeAdapter;
  readonly terminal: TestTerminal;
  screen(): ScreenView;
  /** Waits for a dialog with this name and text. */
  dialog(name: string, text: RegExp): Promise<Dialog>;
  /** Presses what an operator would who chooses this. */
  choose(dialog: Dialog, label: RegExp): Promise<void>;
  press(bytes: string): Promise<void>;
}

export interface FirstStartOptions {
  /** Below the home. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export function firstStart(runtime: RealRuntime, options: FirstStartOptions = {}): FirstStart {
  const base = join(runtimeCache, 'homes');
  mkdirSync(base, { recursive: true });
  const root = mkdtempSync(join(base, 'first-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('work/a.js', 'console.log(1);\n');
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text.replaceAll('{home}', root));
  execFileSync('git', ['init', '--quiet'], { cwd: join(root, 'work') });
  const program = join(programFolder, runtime);
  const adapter = adapterFor(defaultRuntimeConfig(runtime));
  const args = options.args ?? [];
  const terminal = openTerminal({
    // Its first line asks for `bun` on PATH.
    ...(runtime === 'omp'
      ? { command: join(programFolder, 'bun'), args: [program, ...args] }
      : { command: program, args }),
    cwd: join(root, 'work'),
    env: {
      HOME: root,
      PATH: `${dirname(process.execPath)}:${programFolder}:/usr/local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/bash',
      ...options.env,
    },
    cols: 110,
    rows: 36,
  });
  const screen = watchScreen(terminal);
  // No person is as fast as this; a key in the moment of drawing is dropped.
  const press = async (bytes: string) => {
    await delay(700);
    terminal.write(bytes);
  };
  const hasGone = async ({ id }: Dialog) => {
    for (let looks = 0; looks < 50 && adapter.dialog(screen())?.id === id; looks++) await delay(100);
    return adapter.dialog(screen())?.id !== id;
  };
  return {
    adapter,
    terminal,
    screen,
    press,
    dialog: (name, text) =>
      waitFor(
        () => {
          const seen = adapter.dialog(screen());
          return seen?.name === name && text.test(seen.text) ? seen : null;
        },
        {
          what: () =>
            `${name}; seen ${JSON.stringify(adapter.dialog(screen()))}; screen:\n${terminal.text().join('\n')}`,
          timeoutMs: patienceMs,
        },
      ),
    choose: async (dialog, label) => {
      const writes = dialog.choices.find((each) => label.test(each.label))?.writes ?? [];
      for (const bytes of writes) await press(bytes);
      // A key may be lost on a busy machine; the choice is marked already.
      for (let again = 0; again < 3 && !(await hasGone(dialog)); again++) terminal.write(writes.at(-1) ?? '');
    },
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
