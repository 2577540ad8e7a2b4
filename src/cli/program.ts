// The table of commands. Each is loaded when it is called.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { runtimeNames } from '../core/config.ts';
import { exitDone, exitUsage } from './output.ts';
import { version } from '../core/version.ts';

interface Home {
  readonly home?: string;
}

export async function runProgram(argv: readonly string[]): Promise<number> {
  let code = exitDone;
  const program = makeProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitDone : exitUsage;
  }
}

function makeProgram(finish: (code: number) => void): Command {
  const program = new Command('gatehouse')
    .description('Supervises coding-agent runs. Without a command: the console.')
    .version(version)
    .option('--home <DIR>', 'where runs are kept (default: $GATEHOUSE_HOME, else $XDG_STATE_HOME/gatehouse)')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(gatehouse --help lists the commands)');
  const table = commandTable(program, finish);
  runCommands(table);
  decisionCommands(table);
  sessionCommands(table);
  recordCommands(table);
  machineCommands(table);
  return program;
}

function commandTable(program: Command, finish: (code: number) => void) {
  return {
    command: (usage: string, description: string): Command =>
      program.command(usage).description(description).exitOverride().option('--home <DIR>', 'where runs are kept'),
    /** `--home` counts before and behind the command. */
    act:
      <A extends unknown[]>(run: (home: string | undefined, ...args: A) => Promise<number>) =>
      async (...all: unknown[]): Promise<void> => {
        const self = all.at(-1) as Command;
        const home = self.opts<Home>().home ?? program.opts<Home>().home;
        finish(await run(home, ...(all.slice(0, -1) as A)));
      },
  };
}

type CommandTable = ReturnType<typeof commandTable>;

/** Runs as such: begin some, look at them. */
function runCommands({ command, act }: CommandTable): void {
  command('demo', 'make a sample repository with real bugs and start runs on it')
    .option('--runs <N>', 'how many', positive, 12)
    .option('--tempo <MS>', 'milliseconds between the steps of the scripted agents', wholeNumber)
    .option('--no-ui', 'do not open the console')
    .action(
      act(async (home, options: { runs: number; ui: boolean; tempo?: number }) =>
        (await import('./commands/demo.ts')).demo(home, options),
      ),
    );
  command('start <task...>', 'start runs from task files (- is standard input)')
    .requiredOption('--repo <DIR>', 'the clone to work on')
    .addOption(new Option('--runtime <NAME>', 'the agent program').choices(runtimeNames))
    .option('--agent <NAME>', 'an agent of config.json')
    .option('--json', 'print JSON')
    .action(
      act(async (home, tasks: string[], options: { repo: string; runtime?: string; agent?: string; json?: boolean }) =>
        (await import('./commands/start.ts')).start(home, tasks, options),
      ),
    );
  command('ls', 'list the runs, in the order in which they were started')
    .option('--json', 'print JSON')
    .option('--needs-me', 'only those that need a person')
    .action(
      act(async (home, options: { json?: boolean; needsMe?: boolean }) =>
        (await import('./commands/list.ts')).list(home, options),
      ),
    );
  command('show <run>', 'state, gates, artifacts, evidence, and why this status')
    .option('--json', 'print JSON')
    .option('--pull-request', 'only the text for a pull request of the review branch, once it was pushed')
    .action(
      act(async (home, id: string, options: { json?: boolean; pullRequest?: boolean }) =>
        (await import('./commands/show.ts')).show(home, id, options),
      ),
    );
}

/** What only a person decides. */
function decisionCommands({ command, act }: CommandTable): void {
  command('approve <run> <line>', 'the token line, exactly as it would be typed in the console')
    .option('--sign', 'sign with an SSH key: approvals.key of config.json, else user.signingKey of git')
    .option('--no-sign', 'do not sign, even where config.json requires it')
    .option('--round <N>', 'the version of what waits that you have read, where it changed meanwhile', positive)
    .action(
      act(async (home, id: string, line: string, options: { sign?: boolean; round?: number }) =>
        (await import('./commands/decide.ts')).approve(home, id, line, options),
      ),
    );
  command('feedback <run> <text>', 'send a gate back with a reason').action(
    act(async (home, id: string, text: string) => (await import('./commands/decide.ts')).feedback(home, id, text)),
  );
  command('grant <run>', 'allow another review round').action(
    act(async (home, id: string) => (await import('./commands/decide.ts')).grant(home, id)),
  );
  command('restore <run>', 'back to the last state that the engine vouches for').action(
    act(async (home, id: string) => (await import('./commands/decide.ts')).restore(home, id)),
  );
}

/** The session of a run. */
function sessionCommands({ command, act }: CommandTable): void {
  command('send <run> <text>', 'a message to the session').action(
    act(async (home, id: string, text: string) => (await import('./commands/session.ts')).send(home, id, text)),
  );
  command('answer <run> [choice]', 'the dialog that a session waits in, or the choice in it: its number')
    .option('--json', 'print the dialog as JSON')
    .action(
      act(async (home, id: string, choice: string | undefined, options: { json?: boolean }) =>
        (await import('./commands/answer.ts')).answer(home, id, choice, options),
      ),
    );
  command('attach <run>', 'the live terminal').action(
    act(async (home, id: string) => (await import('./commands/console.ts')).attach(home, id, 'attach')),
  );
  command('watch <run>', 'the live terminal, read-only').action(
    act(async (home, id: string) => (await import('./commands/console.ts')).attach(home, id, 'watch')),
  );
  command('stop <run>', 'end the session').action(
    act(async (home, id: string) => (await import('./commands/session.ts')).stop(home, id)),
  );
  command('resume [run]', 'continue from state.json')
    .option('--to-patch', 'let a halted run go on in patch')
    .option('--lost', 'instead of one run: all that were lost, as after a reboot; a few start at once')
    .action(
      act(async (home, id: string | undefined, options: { toPatch?: boolean; lost?: boolean }) =>
        (await import('./commands/session.ts')).resume(home, id, options),
      ),
    );
}

/** What a run leaves behind. */
function recordCommands({ command, act }: CommandTable): void {
  command('replay <run|file>', 'play a recording')
    .option('--at <TIME>', 'where to begin, as 12:30')
    .action(
      act(async (home, target: string, options: { at?: string }) =>
        (await import('./commands/console.ts')).replay(home, target, options),
      ),
    );
  command('timeline <run|file>', "what the agent did, from the runtime's own transcript")
    .option('--json', 'print JSON')
    .action(
      act(async (home, target: string, options: { json?: boolean }) =>
        (await import('./commands/timeline.ts')).timeline(home, target, options),
      ),
    );
  command('bundle <run>', 'one file with everything about a run')
    .requiredOption('-o, --output <FILE>', 'where to write it')
    .option('--no-mask', 'keep secrets that texts hold')
    .action(
      act(async (home, id: string, options: { output: string; mask: boolean }) =>
        (await import('./commands/bundle.ts')).bundle(home, id, options),
      ),
    );
  command('verify <file>', 'check a bundle offline')
    .option('--signers <FILE>', 'every approval must be signed by one of this allowed signers file')
    .action(
      act(async (home, file: string, options: { signers?: string }) =>
        (await import('./commands/bundle.ts')).verify(home, file, options),
      ),
    );
}

/** This machine, and the background process. */
function machineCommands({ command, act }: CommandTable): void {
  command('doctor', 'what this machine has and lacks')
    .option('--json', 'print JSON')
    .action(
      act(async (home, options: { json?: boolean }) => (await import('./commands/doctor.ts')).doctor(home, options)),
    );
  command('host <verb>', 'status, stop or logs of the background process')
    .option('--json', 'print JSON')
    .action(
      act(async (home, verb: string, options: { json?: boolean }) =>
        (await import('./commands/host.ts')).host(home, verb, options),
      ),
    );
  command('config-schema', 'the JSON Schema of config.json').action(
    act(async () => (await import('./commands/config-schema.ts')).printSchema()),
  );
}

function positive(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError('Give a number above zero.');
  return value;
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number, as 12.');
  return Number(text);
}
