// `lattice evidence add /tmp/shot.png`: the engine reads only what lies in the run's own folders, and the /tmp of a
// sandboxed session is not there for it at all. So a file from elsewhere is handed over as a copy, by the session itself.
import { cpSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface HandedOver {
  readonly file: string;
  /** Takes the copy away again; the engine keeps its own. */
  done(): void;
}

export function handOver(file: string, env: NodeJS.ProcessEnv = process.env): HandedOver {
  const asIs = { file, done: () => {} };
  const evidence = env.GATEHOUSE_EVIDENCE;
  if (!evidence || /:[1-9]\d*(-\d+)?$/.test(file)) return asIs;
  try {
    const real = realpathSync(file);
    const within = [evidence, env.GATEHOUSE_ARTIFACTS, env.GATEHOUSE_WORKTREE ?? process.cwd()].some(
      (folder) => folder !== undefined && real.startsWith(`${realpathSync(folder)}/`),
    );
    if (within || !statSync(real).isFile()) return asIs;
    const folder = mkdtempSync(join(evidence, 'incoming-'));
    const copy = join(folder, basename(file));
    cpSync(real, copy);
    return { file: copy, done: () => rmSync(folder, { recursive: true, force: true }) };
  } catch {
    // Not there, or not readable: the engine says what is wrong with it.
    return asIs;
  }
}
