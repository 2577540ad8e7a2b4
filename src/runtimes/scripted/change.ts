// Implement and patch: the plan, the edits, the answers to findings.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredTestCommand, readFacts, type Facts } from './facts.ts';
import { applies, applyEdit, type Edit, type Fix, type NewFile, revertEdit, writeNewFile } from './fix.ts';
import type { Hands } from './hands.ts';
import { runProgram } from './lattice.ts';
import type { EditParts } from './scenario.ts';
import { findingsText, type PlannedFiles, planText } from './writing/plan.ts';
import { patchNotesText } from './writing/review.ts';

export interface Target {
  readonly facts: Facts;
  readonly edits: readonly Edit[];
  readonly tests: readonly NewFile[];
  readonly files: PlannedFiles;
}

/** What the approved proposal and the choices ask for. */
export async function readTarget(hands: Hands, fix: Fix): Promise<Target> {
  const status = await hands.status();
  const facts = readFacts(status);
  const choices = Object.fromEntries(
    fix.decisions.map(({ id, recommended }) => [id, facts.choices[id] ?? recommended]),
  );
  const draft = fix.redraft === undefined ? 1 : Math.min(2, facts.draft);
  const edits = fix.edits.filter((edit) => applies(edit, choices, draft));
  const tests = fix.tests.filter((file) => applies(file, choices, draft));
  const code = [...new Set([...edits, ...(fix.weak?.edits ?? [])].map((edit) => edit.file))];
  return { facts: { ...facts, choices, draft }, edits, tests, files: { code, tests: tests.map((test) => test.file) } };
}

export async function writeFindings(hands: Hands, fix: Fix): Promise<void> {
  const { files } = await readTarget(hands, fix);
  await hands.writeArtifact('findings.md', findingsText(hands.root, fix, files));
}

export async function writePlan(hands: Hands, fix: Fix): Promise<void> {
  const { files } = await readTarget(hands, fix);
  await hands.writeArtifact('plan.md', planText(fix, files, declaredTestCommand(hands.root)));
}

export async function edit(hands: Hands, fix: Fix, parts: EditParts): Promise<void> {
  const { edits, tests } = await readTarget(hands, fix);
  solveConflicts(hands.root, await changedFiles(hands, null));
  if (parts === 'weak' && fix.weak !== null) return applyAll(hands, fix.weak.edits);
  if (parts === 'tests' || parts === 'all') for (const test of tests) await addTest(hands, test);
  if (parts === 'tests') return;
  // A first attempt that was not enough goes away before the real one.
  for (const weak of fix.weak?.edits ?? []) if (!isThere(hands.root, edits)) revertEdit(hands.root, weak);
  await applyAll(hands, edits);
}

export async function writePatchNotes(hands: Hands, fix: Fix): Promise<void> {
  const { facts } = await readTarget(hands, fix);
  const answered = facts.findings.length === 0 ? ['F1'] : facts.findings;
  // Feedback at the second gate may be about anything; what was done about it is written down where readers look.
  if (facts.feedback !== null && answered.some((id) => !/^[FV]\d/.test(id))) {
    await hands.write(
      `docs/changes/${fix.task}.md`,
      `# ${fix.task}\n\n${fix.changes.join('\n')}\n\nAsked for afterwards: ${facts.feedback}\n`,
    );
  }
  const files = await changedFiles(hands, facts.baseline);
  await hands.writeArtifact(
    'patch-notes.md',
    patchNotesText(answered, files, `${fix.changes.join(' ')} The tests were run again.`),
  );
}

/** Files of the worktree that differ from the baseline, untracked ones included. */
export async function changedFiles(hands: Hands, baseline: string | null): Promise<string[]> {
  const git = async (...args: string[]): Promise<string[]> => {
    const { code, output } = await runProgram(['git', '--no-optional-locks', ...args], hands.root, hands.signal);
    return code === 0 ? output.split('\0').filter((path) => path !== '') : [];
  };
  const found = await Promise.all([
    git('diff', '--name-only', '--no-renames', '-z', baseline ?? 'HEAD'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set(found.flat())].toSorted();
}

async function applyAll(hands: Hands, edits: readonly Edit[]): Promise<void> {
  for (const each of edits) {
    await hands.tool('edit', { path: join(hands.root, each.file) }, each.file, async () => {
      const outcome = attempt(() => applyEdit(hands.root, each));
      hands.parts.truth.note({ type: 'edit', file: each.file, outcome });
      const shown = [...each.find.map((line) => `- ${line}`), ...each.replace.map((line) => `+ ${line}`)].join('\n');
      return outcome === 'done' || outcome === 'already' ? { code: 0, output: shown } : { code: 1, output: outcome };
    });
  }
}

async function addTest(hands: Hands, test: NewFile): Promise<void> {
  await hands.tool('write', { path: join(hands.root, test.file) }, test.file, async () => {
    const outcome = attempt(() => {
      writeNewFile(hands.root, test);
      return 'done';
    });
    hands.parts.truth.note({ type: 'edit', file: test.file, outcome });
    return { code: outcome === 'done' ? 0 : 1, output: outcome === 'done' ? `${test.content.length} lines` : outcome };
  });
}

/** A read-only file system is an answer like any other. */
function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

function isThere(root: string, edits: readonly Edit[]): boolean {
  return edits.every(
    ({ file, replace }) =>
      existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(replace.join('\n')),
  );
}

const conflict = /^<{7}[^\n]*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7}[^\n]*\n/gm;

/** Takes the baseline's side of a conflict; the edits that follow put our change on top of it. */
function solveConflicts(root: string, files: readonly string[]): void {
  for (const file of files) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    const solved = text.replace(conflict, (_, _ours: string, theirs: string) => theirs);
    if (solved !== text) writeFileSync(path, solved);
  }
}
