import { readOptions } from './options.js';

const commands = {
  list: () => import('./commands/list.js'),
  clean: () => import('./commands/clean.js'),
  report: () => import('./commands/report.js'),
  config: () => import('./commands/config.js'),
  dialog: () => import('./commands/dialog.js'),
  api: () => import('./commands/api.js'),
  serve: () => import('./commands/serve.js'),
};

/** Runs one command and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(argv, out, err) {
  const [name, ...rest] = argv;
  const load = commands[name];
  if (load === undefined) {
    err.write(`tidybuild: unknown command ${name ?? '(none)'}; one of ${Object.keys(commands).join(', ')}\n`);
    return 2;
  }
  const { options, words } = readOptions(rest);
  const now = new Date(options.now ?? Date.now());
  try {
    const { run } = await load();
    return (await run({ options, words, now, out, err })) ?? 0;
  } catch (error) {
    err.write(`tidybuild ${name}: ${error.message}\n`);
    return 1;
  }
}
