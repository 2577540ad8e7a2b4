// Both read and write files only: they need no host, and start none.
import { existsSync } from 'node:fs';
import { GatehouseError } from '../../core/error.ts';
import { inertLine } from '../../core/inert.ts';
import { maskSecrets } from '../../core/secrets.ts';
import { homePaths, resolveHome } from '../../platform/paths.ts';
import { checkBundle } from '../bundle/check-bundle.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import { writeBundle } from '../bundle/write-bundle.ts';
import { exitDone, say } from '../output.ts';
import { paintFor } from '../paint.ts';
import { rows, size } from '../show/section.ts';

export async function bundle(
  homeOption: string | undefined,
  run: string,
  options: { output: string; mask?: boolean },
): Promise<number> {
  const paths = homePaths(resolveHome(homeOption));
  if (/[/\\]|^\.*$/.test(run) || !existsSync(paths.run(run).dir))
    throw new GatehouseError('run.unknown', `there is no run ${run}`, 'gatehouse ls lists the runs');
  const mask = options.mask === false ? null : (text: string) => maskSecrets(text);
  const manifest = await writeBundle({ paths, run, output: options.output, mask });
  const total = manifest.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  say(`${options.output}: ${manifest.files.length} files of ${run}, ${size(total)} before packing`);
  for (const file of manifest.files) if (file.original !== null) say(`  secrets masked in ${inertLine(file.path)}`);
  for (const note of manifest.notes) say(`  ${inertLine(note)}`);
  return exitDone;
}

export async function verify(
  homeOption: string | undefined,
  file: string,
  options: { signers?: string },
): Promise<number> {
  const { signers } = options;
  if (signers !== undefined && !existsSync(signers))
    throw new GatehouseError('file.unreadable', `there is no file ${signers}`, 'name an allowed signers file of SSH');
  const means = { key: await homeKey(homePaths(resolveHome(homeOption)).engineKey), signers: signers ?? null };
  const checks = await checkBundle(await readBundle(file), means);
  const paint = paintFor(process.stdout, process.env);
  const verdicts = { ok: paint.green('ok'), open: paint.yellow('open'), failed: paint.red('FAILED') };
  for (const line of rows(checks.map(({ name, verdict, says }) => [verdicts[verdict], name, inertLine(says)])))
    say(line);
  const failed = checks.filter((check) => check.verdict === 'failed').map((check) => check.name);
  if (failed.length > 0) {
    throw new GatehouseError(
      'state.inconsistent',
      `${file} does not verify: ${failed.join(', ')}`,
      'do not rely on it; ask for a new bundle, or look at the run itself',
    );
  }
  say(`${file}: verified`);
  return exitDone;
}

/** Only read: a home without a key is not given one here. */
async function homeKey(path: string): Promise<Buffer | null> {
  if (!existsSync(path)) return null;
  const { loadEngineKey } = await import('../../engine/engine-key.ts');
  return loadEngineKey(path);
}
