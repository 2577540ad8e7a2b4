// Review and verify: the same eyes for both. What is found depends on the worktree as it is, not on who wrote it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, readTarget, type Target } from './change.ts';
import { declaredTestCommand, readFacts } from './facts.ts';
import { applies, type Behaviour, type Fix, judgeOutput, lineOf } from './fix.ts';
import type { Hands } from './hands.ts';
import { type ProgramResult, readEvidenceId } from './lattice.ts';
import { pictureBefore } from './writing/diagnosis.ts';
import { type ReviewFinding, reviewText } from './writing/review.ts';
import { type Shown, type Verification, verificationPassed, verificationText } from './writing/verification.ts';

/** @returns how many findings block. */
export async function review(hands: Hands, fix: Fix, overlook: boolean): Promise<number> {
  const target = await readTarget(hands, fix);
  const changed = await changedFiles(hands, target.facts.baseline);
  await hands.shell('git --no-optional-locks diff --stat');
  const findings = overlook ? [] : await findFaults(hands, fix, target, changed);
  // Runs of the product leave nothing in the tree, but the hash to judge is the newest one.
  const status = await hands.lattice('status');
  const { tree } = readFacts(status.output);
  await hands.writeArtifact('review-report.md', reviewText({ tree: tree ?? '0'.repeat(40), changed, findings }));
  return findings.length;
}

/** @returns whether everything was as promised. */
export async function verify(hands: Hands, fix: Fix): Promise<boolean> {
  const target = await readTarget(hands, fix);
  const command = declaredTestCommand(hands.root);
  const tests = await hands.lattice('evidence', 'run', '--', ...words(command));
  const behaviours: Shown[] = [];
  const images: { pair: string; before: string; after: string }[] = [];
  for (const each of fix.behaviours) {
    const shown = await watch(hands, each, target, images);
    behaviours.push({ text: each.text, ...shown });
  }
  const verification: Verification = {
    behaviours,
    tests: { command, id: readEvidenceId(tests.output) ?? 'E0', code: exitCodeOf(tests) },
    images,
    place: placeOf(hands, fix),
  };
  await hands.writeArtifact('verification.md', verificationText(verification));
  return verificationPassed(verification);
}

async function findFaults(
  hands: Hands,
  fix: Fix,
  target: Target,
  changed: readonly string[],
): Promise<ReviewFinding[]> {
  const findings: ReviewFinding[] = [];
  const place = placeOf(hands, fix);
  const markers = await hands.shell("git --no-optional-locks grep -n '^<<<<<<< ' -- . || true");
  for (const [, file = '', line = '1'] of markers.output.matchAll(/^([^:\n]+):(\d+):/gm)) {
    findings.push({
      question: 'Unrelated changes',
      title: `a conflict is not solved in ${file}`,
      place: `${file}:${line}`,
      text: 'the baseline has moved, and both sides of the conflict stand in the file',
    });
  }
  for (const each of fix.behaviours) {
    const { wrong } = await watch(hands, each, target, null);
    if (wrong.length > 0) {
      findings.push({
        question: 'Root cause',
        title: `the cause is not addressed: ${each.text.replaceAll('`', '')}`,
        place,
        text: `the output ${wrong.join('; ').replaceAll('`', "'")}`,
      });
    }
  }
  const missing = target.files.tests.filter((file) => !existsSync(join(hands.root, file)));
  for (const file of missing) {
    findings.push({
      question: 'Tests',
      title: 'no test covers the case of the report',
      place,
      text: `a change here can bring the fault back unnoticed; ${file.split('/').at(-1)} is planned and is not there`,
    });
  }
  const expected = new Set([...target.files.code, ...target.files.tests, `docs/changes/${fix.task}.md`]);
  for (const file of changed.filter((name) => !expected.has(name) && !name.startsWith('test/'))) {
    findings.push({
      question: 'Unrelated changes',
      title: `${file} does not belong to the task`,
      place: `${file}:1`,
      text: 'neither the proposal nor the plan names it',
    });
  }
  return findings;
}

/** Runs the commands of one behaviour as evidence and looks at what they print. */
async function watch(
  hands: Hands,
  behaviour: Behaviour,
  target: Target,
  images: { pair: string; before: string; after: string }[] | null,
): Promise<{ evidence: string[]; wrong: string[] }> {
  const evidence: string[] = [];
  const wrong: string[] = [];
  const commands = behaviour.commands.filter((each) => applies(each, target.facts.choices, target.facts.draft));
  for (const each of commands) {
    const recorded = await hands.lattice('evidence', 'run', '--', 'sh', '-c', each.command);
    const id = readEvidenceId(recorded.output);
    if (id !== null) evidence.push(id);
    // The engine may print the output or only the id.
    if (judgeOutput(recorded.output, each).length > 0)
      wrong.push(...judgeOutput((await hands.shell(each.command)).output, each));
    if (images === null || each.image === undefined || each.pair === undefined) continue;
    const added = await hands.lattice('evidence', 'add', each.image, '--kind', 'image', '--pair', `after:${each.pair}`);
    const after = readEvidenceId(added.output);
    const before = pictureBefore(hands.readArtifact('diagnosis.md'), each.pair);
    if (after !== null) evidence.push(after);
    if (after !== null && before !== null) images.push({ pair: each.pair, before, after });
  }
  return { evidence, wrong };
}

function placeOf(hands: Hands, fix: Fix): string {
  const first = fix.inspect[0];
  if (first === undefined) return 'README.md:1';
  return `${first.file}:${Math.max(1, lineOf(hands.root, first.file, first.find))}`;
}

/** What the engine says that the command ended with; recording it succeeds either way. */
function exitCodeOf({ code, output }: ProgramResult): number | null {
  const told = /^E\d+: exit code (\d+)/m.exec(output)?.[1];
  return told === undefined ? code : Number(told);
}

/** The declared command as its words, when no shell is needed to read it. */
function words(command: string): string[] {
  return /^[\w ./:=@-]+$/.test(command) ? command.split(/ +/) : ['sh', '-c', command];
}
