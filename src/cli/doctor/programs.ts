// Programs that runs need or can use: Node, git, the sandbox, the agent programs.
import { type Config, type RuntimeConfig, runtimeNames } from '../../core/config.ts';
import { toErrorBody } from '../../core/error.ts';
import { exec } from '../../platform/exec.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** `git merge-tree --write-tree`, with which a delivery is tried before anything is touched. */
const oldestGit = [2, 38] as const;
const oldestNode = 22;
const asked = { timeoutMs: 10_000, maxBytes: 65_536 };

export function checkNode(version: string, path: string): Check {
  const says = `${version} (${path})`;
  return Number.parseInt(version, 10) >= oldestNode
    ? ok('node', says)
    : fail('node', says, `Node ${oldestNode} or newer is needed; npm ci on Linux brings one along`);
}

export async function checkGit(): Promise<Check[]> {
  const answer = await exec('git', ['--version'], asked);
  const version = judgeGit(answer.exitCode === 0 ? answer.stdout : null);
  if (version.status === 'fail') return [version];
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map((key) => exec('git', ['config', '--get', key], asked)),
  );
  const identity = [name, email].map((each) => each?.stdout.trim() ?? '');
  return [
    version,
    identity.every((each) => each !== '')
      ? ok('git identity', `${identity[0]} <${identity[1]}>`)
      : warn(
          'git identity',
          'git does not know who you are; approvals and commits carry a name',
          'git config --global user.name NAME; git config --global user.email ADDRESS',
        ),
  ];
}

/** @param said the output of `git --version`, null when it could not be run. */
export function judgeGit(said: string | null): Check {
  const match = said === null ? null : /(\d+)\.(\d+)[.\d]*/.exec(said);
  const install = `install git ${oldestGit.join('.')} or newer`;
  if (match === null) return fail('git', 'git does not answer', install);
  const [version, major, minor] = [match[0], Number(match[1]), Number(match[2])];
  const old = major < oldestGit[0] || (major === oldestGit[0] && minor < oldestGit[1]);
  return old ? fail('git', `${version} is too old`, install) : ok('git', version);
}

/** What config.json sets, and whether the kernel or only the host keeps it. */
export async function checkRunLimits(limits: Config['limits']): Promise<Check> {
  const { describeLimits, probeLimits } = await import('../../sandbox/limits.ts');
  const force = await probeLimits(limits);
  const says = describeLimits(limits, force);
  if (says === null) return ok('run limits', 'none; "limits" in config.json sets memoryMb and processes of each run');
  return force.kind === 'systemd'
    ? ok('run limits', says)
    : warn('run limits', `${says}: ${force.reason}`, 'a systemd user session keeps them in the kernel');
}

export async function checkSandbox(mode: Config['sandbox']): Promise<Check> {
  const { probeSandbox } = await import('../../sandbox/probe.ts');
  const found = await probeSandbox();
  if (mode === 'off')
    return warn(
      'sandbox',
      'switched off in config.json: only hooks and checks keep sessions in bounds',
      found.kind === 'bwrap' ? 'set "sandbox" to "auto"' : found.hint,
    );
  if (found.kind === 'bwrap') return ok('sandbox', `bwrap ${found.version} (${found.program})`);
  return mode === 'require'
    ? fail('sandbox', `config.json requires one: ${found.reason}`, found.hint)
    : warn('sandbox', `none, sessions are kept in bounds by hooks and checks only: ${found.reason}`, found.hint);
}

export async function checkRuntimes(config: Config): Promise<Check[]> {
  const { adapterFor, defaultRuntimeConfig } = await import('../../runtimes/registry.ts');
  const builtIn = runtimeNames.filter((name) => name !== 'generic' && config.runtimes[name] === undefined);
  const wanted: [string, RuntimeConfig][] = [
    ...builtIn.map((name): [string, RuntimeConfig] => [name, defaultRuntimeConfig(name)]),
    ...Object.entries(config.runtimes),
  ];
  const used = new Set(Object.values(config.agents).map((agent) => agent.runtime));
  const found = await Promise.all(
    wanted.map(async ([name, settings]) => {
      try {
        return { name, settings, probed: await adapterFor(settings).probe(settings, process.env) };
      } catch (error) {
        // One faulty adapter must not hide what the others say.
        const { message, hint } = toErrorBody(error);
        return { name, settings, probed: { ok: false as const, message, hint } };
      }
    }),
  );
  const checks = found.map(({ name, settings, probed }): Check => {
    const label = `runtime ${name}`;
    if (probed.ok) {
      const says =
        settings.kind === 'generic' ? genericSays(probed.program, settings) : `${probed.version} (${probed.program})`;
      if (probed.warning !== undefined)
        return warn(
          label,
          `${probed.warning} (${probed.program})`,
          'a dialog that is not known is never answered: attach',
        );
      const unused = settings.kind === 'generic' ? [] : onlyGeneric.filter((key) => isSet(settings[key]));
      return unused.length === 0
        ? ok(label, says)
        : warn(label, `${says}: only a generic runtime uses ${unused.join(', ')}`, 'take it out of config.json');
    }
    return used.has(name)
      ? fail(label, `an agent of config.json needs it: ${probed.message}`, probed.hint)
      : warn(label, probed.message, probed.hint);
  });
  return found.some(({ settings, probed }) => probed.ok && settings.kind !== 'scripted')
    ? checks
    : [
        ...checks,
        warn('runtimes', 'no agent program is installed; only the demo works', 'install one of those named above'),
      ];
}

const onlyGeneric = ['ready', 'resumeArgs', 'dialogs'] as const;

function isSet(value: string | readonly unknown[] | undefined): boolean {
  return value !== undefined && value.length > 0;
}

/** What is known of a program that only the configuration knows. */
function genericSays(program: string, { ready, dialogs }: RuntimeConfig): string {
  const when =
    ready === undefined
      ? 'ready with bracketed paste'
      : ready === ''
        ? 'nothing tells when it is ready'
        : `ready at "${ready}"`;
  const named = dialogs.map((each) => each.name).join(', ');
  return `${program}; ${when}; ${named === '' ? 'dialogs known by usual words only' : `dialogs: ${named}, and by usual words`}`;
}

/** Signed approvals need an ssh-keygen that can sign. */
export async function checkSigning(config: Config): Promise<Check[]> {
  const { signature, allowedSigners } = config.approvals;
  if (signature === 'off') return [];
  // Without a file to sign it complains about that; an old one does not know -Y.
  const answer = await exec('ssh-keygen', ['-Y', 'sign'], { ...asked, input: '' });
  if (answer.exitCode === null || /unknown option|illegal option/i.test(answer.stderr))
    return [fail('signatures', 'ssh-keygen cannot sign', 'install OpenSSH 8.2 or newer')];
  if (allowedSigners !== undefined) return [ok('signatures', `${signature}, allowed signers in ${allowedSigners}`)];
  return [
    fail(
      'signatures',
      `config.json says ${signature}, but not whose count`,
      'set "approvals.allowedSigners" to an allowed signers file',
    ),
  ];
}
