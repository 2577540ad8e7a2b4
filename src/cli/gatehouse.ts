// `gatehouse`: without a command the console, else one command. Loads only what the call needs.
import { complain } from './output.ts';
import { version } from '../core/version.ts';

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const home = consoleHome(argv);
    if (home !== null) return await (await import('./commands/open-console.ts')).openConsole(home.option);
    if (argv[0] === '--version' || argv[0] === '-V') {
      process.stdout.write(`gatehouse ${version}\n`);
      return 0;
    }
    return await (await import('./program.ts')).runProgram(argv);
  } catch (error) {
    return complain(error);
  }
}

/** Is this the bare call (at most with --home)? */
function consoleHome(argv: readonly string[]): { option: string | undefined } | null {
  if (argv.length === 0) return { option: undefined };
  const [first = '', second] = argv;
  if (first === '--home' && argv.length === 2) return { option: second };
  if (first.startsWith('--home=') && argv.length === 1) return { option: first.slice('--home='.length) };
  return null;
}
