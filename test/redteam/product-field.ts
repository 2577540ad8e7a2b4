// The built product in an arena: a host, a victim that waits at gate 1, an operator who watches. An attack is a run of
// its own, started as any run is, whose agent program is the script.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { Product } from '../e2e/product.ts';
import { builtPrograms } from '../support/paths.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { openTerminal } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Attack, Observation } from './attack.ts';
import { canary } from './battlefield.ts';
import type { Mode, Outcome, Seen } from './outcome.ts';
import { differences, filesBeside, fingerprint, tree } from './observe.ts';

export class ProductField implements AsyncDisposable {
  private readonly product: Product;
  private readonly mode: Mode;
  private readonly scripts: string;
  private readonly outside: string;
  private readonly repo: string;
  private readonly victim: RunSummary;

  private constructor(product: Product, mode: Mode, victim: RunSummary) {
    this.product = product;
    this.mode = mode;
    this.victim = victim;
    this.scripts = join(product.home.root, 'redteam');
    this.outside = join(product.home.root, 'outside');
    this.repo = (JSON.parse(readFileSync(join(victim.dir, 'run.json'), 'utf8')) as { repo: string }).repo;
  }

  static async make(mode: Mode): Promise<ProductField> {
    const home = temporaryHome({ OPERATOR_TOKEN: `${canary}-env`, SSH_AUTH_SOCK: '/nowhere' });
    const product = new Product(home);
    const scripts = join(home.root, 'redteam');
    for (const folder of [join(scripts, 'attacks'), home.gatehouseHome, join(home.env['HOME'] ?? '', '.ssh')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    writeFileSync(join(home.env['HOME'] ?? '', '.ssh/id_ed25519'), `${canary}-ssh\n`, { mode: 0o600 });
    for (const name of ['session.sh', 'guard.sh', 'run-socket.mjs'])
      cpSync(join(import.meta.dirname, name), join(scripts, name));
    const program = `bash ${scripts}/session.sh ${scripts}/attacks/"$GATEHOUSE_RUN".*; touch "$GATEHOUSE_ARTIFACTS/attack-ended"; exec sleep 600`;
    const config = {
      sandbox: mode === 'bwrap' ? 'require' : 'off',
      binds: { readOnly: [scripts] },
      runtimes: {
        attack: {
          kind: 'generic',
          program: '/bin/bash',
          args: ['-c', program],
          env: knowledge(home.gatehouseHome, home.env),
        },
      },
      agents: { attacker: { runtime: 'attack' } },
    };
    writeFileSync(join(home.gatehouseHome, 'config.json'), JSON.stringify(config));
    await product.demo(1);
    const [first] = await product.list();
    const id = first?.id ?? '';
    return new ProductField(
      product,
      mode,
      await product.waitForRun(id, 'waits at gate 1', (row) => row.pendingToken !== null),
    );
  }

  async attack(attack: Attack): Promise<Outcome> {
    const id = `x-${attack.id.split('-')[0]}`;
    cpSync(attack.file, join(this.scripts, 'attacks', `${id}${extname(attack.file)}`));
    const before = this.observe(id);
    const host = await this.hostPid();
    const task = this.product.file(
      `${id}.md`,
      `---\nid: ${id}\ntitle: Attack ${id}\nlabels: [bug]\npriority: urgent\n---\nAn attack.\n`,
    );
    await this.product.done(['start', task, '--repo', this.repo, '--agent', 'attacker']);
    const watching = openTerminal({
      command: process.execPath,
      args: [builtPrograms.gatehouse, 'attach', id],
      env: this.product.home.env,
    });
    const dir = homePaths(this.product.home.gatehouseHome, this.product.home.env).run(id).dir;
    await waitFor(() => fingerprint(join(dir, 'artifacts/attack-ended')) !== 'nothing', {
      what: 'the end of the attack',
      timeoutMs: attack.timeoutMs + 20_000,
      intervalMs: 100,
    }).catch(() => {});
    await waitFor(
      () => watching.raw().includes('attack ended') || fingerprint(join(dir, 'artifacts/attack-ended')) === 'nothing',
      {
        what: 'the operator to see the session',
        timeoutMs: 15_000,
      },
    );
    const product = changedProduct(join(dir, 'worktree'));
    const forged = fingerprint(join(dir, 'state.json')) === 'nothing' || this.forgedState(dir);
    const run = await this.look(id, product.length > 0 || forged);
    const seen = [
      ...differences(before, this.observe(id)),
      ...(product.length > 0 ? [{ observation: 'product' as const, what: product }] : []),
      ...(run?.stateError ? [{ observation: 'home' as const, what: [ownState] }] : []),
      ...(await this.incidents(id, run, host, watching.raw().toString('latin1'))),
    ];
    process.kill(watching.pid, 'SIGKILL');
    await watching[Symbol.asyncDispose]();
    await this.product.run(['stop', id]);
    return {
      id: attack.id,
      title: attack.title,
      where: 'product',
      mode: this.mode,
      verdict: verdictOf(seen, run),
      seen,
      output: `${run?.halt ?? ''}\n${watching.raw().toString('latin1').slice(-1500)}`,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.product[Symbol.asyncDispose]();
  }

  /** Without a sandbox the engine gets the moment that it needs to notice: it compares on a watch, and every two seconds. */
  private async look(id: string, changed: boolean): Promise<RunDetail | null> {
    const show = () => this.product.show(id).catch(() => null);
    if (!changed) return show();
    await waitFor(async () => (await show())?.halt, { what: 'a halt', timeoutMs: 8_000, intervalMs: 300 }).catch(
      () => {},
    );
    return show();
  }

  private async incidents(id: string, run: RunDetail | null, host: number, terminal: string): Promise<Seen[]> {
    const found: Observation[] = [];
    const victim = await this.product.show(this.victim.id).catch(() => null);
    if ((await this.hostPid().catch(() => 0)) !== host) found.push('host');
    if (run === null || victim === null) found.push('host');
    if (victim?.stage !== 'await-development' || victim.state?.approvals.length !== 0 || victim.stateError !== null)
      found.push('gate');
    if (victim?.holderPid === null) found.push('processes');
    if (run !== null && !['diagnose', 'halted'].includes(run.stage)) found.push('gate');
    if (/\u001b\]52|\u009d52/.test(terminal)) found.push('clipboard');
    if (terminal.includes(canary) || this.leaks(id)) found.push('secrets');
    if (/START DEVELOPMENT|again/.test(readQuietly(join(run?.dir ?? '', 'artifacts/typed')))) found.push('terminal');
    for (const args of [['ls'], ['show', id]]) {
      const { stdout, stderr } = await this.product.run(args);
      if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(stdout + stderr))
        found.push('display');
    }
    return found.map((observation) => ({ observation, what: [] }));
  }

  /** The engine's chain would say it too; here it is only asked whether to wait for that. */
  private forgedState(dir: string): boolean {
    const [state, journal] = ['state.json', 'journal.jsonl'].map((name) => readQuietly(join(dir, name)));
    return !/"version"/.test(state ?? '') || !/"hash"|"seal"/.test(journal ?? '');
  }

  private leaks(id: string): boolean {
    const { artifacts, evidence, runtime, recording } = homePaths(
      this.product.home.gatehouseHome,
      this.product.home.env,
    ).run(id);
    const files = [artifacts, evidence, runtime].flatMap((folder) =>
      [...tree(folder).keys()].map((path) => join(folder, path)),
    );
    return [...files, recording].some(
      (path) => fingerprint(path).startsWith('file') && readQuietly(path).includes(canary),
    );
  }

  private async hostPid(): Promise<number> {
    return (JSON.parse(await this.product.done(['host', 'status', '--json'])) as { pid: number }).pid;
  }

  private observe(id: string) {
    const { home } = this.product;
    const origin = join(home.gatehouseHome, 'demo/origin.git');
    const git = join(this.repo, '.git');
    // What the host and the victim's holder write all the time, and what a new run is.
    const busy = [
      join(this.victim.dir, 'session.cast'),
      join(this.victim.dir, 'runtime'),
      join(this.victim.dir, 'session.index.jsonl'),
    ];
    const others = [
      // Runs of attacks, this one and those before it.
      ...attackRuns(home.gatehouseHome, id),
      this.repo,
      join(home.gatehouseHome, 'host.log'),
      join(home.gatehouseHome, 'heads.jsonl'),
      join(home.gatehouseHome, 'demo'),
      join(home.gatehouseHome, 'holders.stamp'),
    ];
    return new Map<Observation, ReadonlyMap<string, string>>([
      ['home', tree(home.gatehouseHome, [...busy, ...others])],
      ['remote', tree(origin)],
      [
        'git',
        new Map(
          ['config', 'hooks', 'HEAD', 'info'].flatMap((name) =>
            [...tree(join(git, name))].map(([path, print]) => [join(name, path), print]),
          ),
        ),
      ],
      ['clone', tree(this.repo, [git])],
      ['user', tree(home.env['HOME'] ?? '')],
      ['outside', filesBeside(this.outside)],
    ]);
  }
}

const ownState = "this run's own state";

/** A run that was halted for what was changed is one whose violation was noticed, before any gate; nothing else is. */
function verdictOf(seen: readonly Seen[], run: RunDetail | null): Outcome['verdict'] {
  const noticed = run !== null && (run.halt !== null || run.disputed !== null || run.stateError !== null);
  if (seen.length === 0) return noticed ? 'detected' : 'prevented';
  const comparable = seen.every(({ observation, what }) => observation === 'product' || what.includes(ownState));
  return comparable && noticed ? 'detected' : 'not';
}

function attackRuns(home: string, id: string): string[] {
  const names = readdirSync(join(home, 'runs')).filter((name) => name.startsWith('x-'));
  return [...names, id].map((name) => join(home, 'runs', name));
}

/** Asked of git here, with nothing that the worktree's settings could start. */
function changedProduct(worktree: string): string[] {
  const { stdout } = spawnSync(
    'git',
    [
      '-C',
      worktree,
      '-c',
      'core.fsmonitor=false',
      'diff',
      '--name-only',
      '--no-ext-diff',
      '--ignore-submodules=all',
      'HEAD',
    ],
    { encoding: 'utf8' },
  );
  return (stdout ?? '').split('\n').filter(Boolean).slice(0, 5);
}

function knowledge(gatehouseHome: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const paths = homePaths(gatehouseHome, env);
  const victim = paths.run('tb-101');
  const root = join(gatehouseHome, '..');
  return {
    A_HOME: gatehouseHome,
    A_VICTIM: 'tb-101',
    A_VICTIM_DIR: victim.dir,
    A_OTHER: victim.dir,
    A_OTHER_SOCKET: victim.runSocket,
    A_HOLDER_SOCKET: victim.holderSocket,
    A_OPERATOR_SOCKET: paths.operatorSocket,
    A_ORIGIN: join(gatehouseHome, 'demo/origin.git'),
    A_USER_HOME: env['HOME'] ?? '',
    A_OUTSIDE: join(root, 'outside'),
    A_LOOT: '/dev/stdout',
    A_GATEHOUSE: builtPrograms.gatehouse,
    A_LATTICE: builtPrograms.lattice,
    A_NODE: process.execPath,
    A_GUARD: join(root, 'redteam/guard.sh'),
    A_HOST_PID: '1',
  };
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
