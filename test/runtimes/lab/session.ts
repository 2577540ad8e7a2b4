// One agent program in a real PTY, started by its adapter's plan: everything but Gatehouse's own processes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchContext, LaunchPlan, RuntimeAdapter } from '../../../src/runtimes/adapter.ts';
import type { ScreenView } from '../../../src/runtimes/screen-view.ts';
import { openTerminal, type TestTerminal } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface LabSession extends AsyncDisposable {
  readonly plan: LaunchPlan;
  readonly terminal: TestTerminal;
  screen(): ScreenView;
  waitUntilReady(): Promise<void>;
}

export interface LabOptions {
  readonly adapter: RuntimeAdapter;
  readonly context: LaunchContext;
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
}

/** Start-up takes half a minute on a busy small machine. */
export const patienceMs = 120_000;

export function startSession({ adapter, context, env, marker }: LabOptions): LabSession {
  const plan = adapter.launch(context);
  for (const file of plan.files) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text, { mode: file.mode ?? 0o600 });
  }
  for (const { path, create } of plan.writable) if (create === 'folder') mkdirSync(path, { recursive: true });
  const [command = '', ...args] = plan.argv;
  const terminal = openTerminal({
    command,
    args,
    cwd: context.worktree,
    env: { ...env, ...plan.env, GATEHOUSE_SESSION_ID: marker },
    cols: 110,
    rows: 36,
  });
  const screen = watchScreen(terminal);
  return {
    plan,
    terminal,
    screen,
    waitUntilReady: () =>
      waitFor(() => isReady(adapter, terminal, screen()), {
        what: () => `${adapter.name} to be ready; screen:\n${terminal.text().join('\n')}`,
        timeoutMs: patienceMs,
      }).then(() => {}),
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

/** What an adapter sees of a terminal. */
export function watchScreen(terminal: TestTerminal): () => ScreenView {
  let title = '';
  terminal.emulator.onTitleChange((next) => {
    title = next;
  });
  return () => {
    const { active } = terminal.emulator.buffer;
    return {
      rows: terminal.text(),
      cols: terminal.emulator.cols,
      title,
      cursor: { row: active.cursorY, col: active.cursorX },
      isFaint: (row, col) => terminal.cell(col, row).dim,
    };
  };
}

function isReady(adapter: RuntimeAdapter, terminal: TestTerminal, screen: ScreenView): boolean {
  const { ready } = adapter;
  if (ready.kind === 'text') return ready.pattern.test(screen.rows.join('\n'));
  return ready.kind === 'none' || terminal.emulator.modes.bracketedPasteMode;
}

export function labFolders(
  root: string,
): Pick<LaunchContext, 'worktree' | 'runtimeDir' | 'artifactsDir' | 'evidenceDir'> {
  const folders = {
    worktree: join(root, 'runs', 'r1', 'worktree'),
    runtimeDir: join(root, 'runs', 'r1', 'runtime'),
    artifactsDir: join(root, 'runs', 'r1', 'artifacts'),
    evidenceDir: join(root, 'runs', 'r1', 'evidence'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  return folders;
}
