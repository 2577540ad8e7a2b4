// Artifacts and evidence as list items. Pure but for the cached fetches of RunData.
import type { ArtifactInfo, RunDetail } from '../../core/run.ts';
import type { Evidence } from '../../core/state.ts';
import { inertLine, inertText } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import { fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { evidencePath } from './evidence-file.ts';
import type { ImageCache } from './images.ts';
import type { ListItem } from './list-tab.ts';
import { hardWrap, markdownRows } from './markdown-rows.ts';
import type { OutputCache } from './output-cache.ts';
import type { RunData } from './run-data.ts';

export function artifactItems(data: RunData, theme: Theme): ListItem[] {
  return (data.detail?.artifacts ?? []).map((info) => ({
    id: info.name,
    row: () =>
      `${fit(inertLine(info.name), 24)} ${recordedWord(info, theme)}  ${theme.quiet(`${info.sizeBytes} B  sha256 ${info.sha256.slice(0, 12)}`)}`,
    content: (cols) => artifactRows(data, info.name, cols, theme),
  }));
}

export function artifactRows(data: RunData, name: string, cols: number, theme: Theme): readonly string[] {
  const fetched = data.artifact(name);
  if (fetched === undefined) return [theme.quiet(`reading ${name}...`)];
  if ('failure' in fetched) return [theme.bad(fetched.failure)];
  return markdownRows(inertText(fetched.value.text), cols, theme);
}

function recordedWord(info: ArtifactInfo, theme: Theme): string {
  switch (info.recorded) {
    case 'same':
      return theme.good(fit('as recorded', 18));
    case 'changed':
      return theme.bad(fit('CHANGED SINCE', 18));
    case 'missing':
      return theme.bad(fit('MISSING', 18));
    case 'not-recorded':
      return theme.quiet(fit('not recorded yet', 18));
  }
}

export function evidenceItems(
  detail: RunDetail | null,
  images: ImageCache,
  outputs: OutputCache,
  theme: Theme,
): ListItem[] {
  return (detail?.state?.evidence ?? []).map((evidence) => ({
    id: evidence.id,
    row: () => evidenceRow(evidence, theme),
    content: (cols) => evidenceRows(evidence, detail?.dir ?? '', { images, outputs }, cols, theme),
  }));
}

export function evidenceRow(evidence: Evidence, theme: Theme): string {
  const id = theme.live(fit(evidence.id, 4));
  const stage = theme.quiet(fit(evidence.stage, 10));
  if (evidence.kind === 'command') {
    const ok = evidence.exitCode === 0;
    const exit = ok ? theme.good('exit 0') : theme.bad(`exit ${evidence.exitCode ?? '?'}`);
    const test = evidence.declaredTest ? theme.accent(' declared test') : '';
    return `${id} ${stage} ${exit}${test} ${inertLine(evidence.command ?? '')}`;
  }
  const pair = evidence.pair === null ? '' : ` ${evidence.pair.side} "${inertLine(evidence.pair.name)}"`;
  return `${id} ${stage} ${evidence.kind}${pair} ${inertLine(evidence.origin ?? evidence.file ?? '')}`;
}

function evidenceRows(
  evidence: Evidence,
  dir: string,
  { images, outputs }: { readonly images: ImageCache; readonly outputs: OutputCache },
  cols: number,
  theme: Theme,
): string[] {
  const facts = [
    evidence.command === null ? null : `$ ${inertLine(evidence.command)}`,
    evidence.exitCode === null
      ? null
      : `exit code ${evidence.exitCode} after ${((evidence.durationMs ?? 0) / 1000).toFixed(1)} s, run by the engine`,
    evidence.origin === null ? null : `from ${inertLine(evidence.origin)}`,
    `recorded ${localTime(evidence.time)} in ${evidence.stage}, tree ${evidence.tree.slice(0, 12)}`,
    evidence.file === null ? null : `file ${evidencePath(dir, evidence.file)}`,
    evidence.sha256 === null ? null : `sha256 ${evidence.sha256}`,
  ].filter((fact) => fact !== null);
  const head = facts.flatMap((fact) => wrap(fact, cols)).map(theme.quiet);
  if (evidence.kind === 'image' && evidence.file !== null) {
    return [...head, '', ...imageRows(images, evidencePath(dir, evidence.file), evidence, cols, 40, theme)];
  }
  const whole = evidence.file === null ? null : outputs.text(evidencePath(dir, evidence.file), evidence);
  const text = (whole ?? inertText(evidence.excerpt))
    .trimEnd()
    .split('\n')
    .flatMap((line) => hardWrap(line, cols));
  return [...head, '', ...text];
}

export function imageRows(
  images: ImageCache,
  path: string,
  evidence: Evidence,
  cols: number,
  rows: number,
  theme: Theme,
): string[] {
  if (!theme.colour) return [theme.quiet('colour is off, so it is not drawn here; the file is named above')];
  const loaded = images.rows(path, evidence, cols, rows);
  if (loaded === 'loading') return [theme.quiet('drawing...')];
  return 'failure' in loaded ? wrap(loaded.failure, cols).map(theme.bad) : [...loaded.rows];
}
