const help = `usage: lattice [COMMAND]

  --version   print the version
  --help      print this
`;

export function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === '--version') process.stdout.write('lattice 0.1.0\n');
  else process.stdout.write(help);
  return Promise.resolve(argv[0] === '--version' || argv[0] === '--help' ? 0 : 2);
}
