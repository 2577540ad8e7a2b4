// Does the run's own record hold together: journal, state, and the files that both name by hash.
import type { JournalEntry } from '../../engine/journal.ts';
import { type RunState, stateFileSchema } from '../../core/state.ts';
import { firstIssue } from '../../core/first-issue.ts';
import type { BundleCheck, Contents } from './contents.ts';

const ok = (name: string, says: string): BundleCheck => ({ name, verdict: 'ok', says });
const failed = (name: string, says: string): BundleCheck => ({ name, verdict: 'failed', says });
const open = (name: string, says: string): BundleCheck => ({ name, verdict: 'open', says });

export async function checkJournal(
  contents: Contents,
): Promise<{ check: BundleCheck; entries: readonly JournalEntry[] | null }> {
  const name = 'journal';
  const text = contents.texts.get('journal.jsonl');
  if (text === undefined) return { check: failed(name, 'journal.jsonl is not in it'), entries: null };
  if (isMasked(contents, 'journal.jsonl')) {
    const { entries, head, fault } = contents.manifest.journal;
    const check =
      fault === null
        ? open(
            name,
            `masked, so its chain cannot be followed; before, ${entries} entries were sound up to ${head ?? '-'}`,
          )
        : failed(name, `it was broken when it was bundled: ${fault}`);
    return { check, entries: null };
  }
  const { verifyChain } = await import('../../engine/journal.ts');
  const { entries, fault, torn } = verifyChain(text);
  if (fault !== null) return { check: failed(name, fault.message), entries: null };
  if (entries.length === 0) return { check: failed(name, 'it has no entry'), entries: null };
  const cut = torn ? '; a last line was cut off and never relied on' : '';
  return { check: ok(name, `${entries.length} entries follow from one another${cut}`), entries };
}

export async function checkState(contents: Contents, entries: readonly JournalEntry[] | null): Promise<BundleCheck[]> {
  const name = 'state';
  const read = readStateFile(contents);
  if (typeof read === 'string') return [failed(name, read)];
  const { stateContradiction } = await import('../../core/state-check.ts');
  const contradiction = stateContradiction(read.state);
  if (contradiction !== null) return [failed(name, `it contradicts itself: ${contradiction}`)];
  if (read.state.run !== contents.manifest.run) return [failed(name, `it is of run ${read.state.run}`)];
  if (entries === null && !isMasked(contents, 'journal.jsonl'))
    return [open(name, 'there is no sound journal to compare it with')];
  if (entries === null || isMasked(contents, 'state.json')) {
    const same = read.head === contents.manifest.journal.head;
    return [
      same
        ? open(name, 'it names the last entry of the journal; masking hides whether it is the same in all parts')
        : failed(name, 'it names another entry than the last of the journal'),
    ];
  }
  const { canonical } = await import('../../engine/canonical.ts');
  const last = entries.at(-1);
  const entry = entries.find((each) => each.hash === read.head && each.seq === read.seq);
  if (last === undefined || entry === undefined)
    return [failed(name, 'it names an entry that the journal does not have')];
  if (canonical(entry.state) !== canonical(read.state))
    return [failed(name, `it differs from what the engine decided in entry ${entry.seq}`)];
  if (entry.seq === last.seq)
    return [ok(name, `it equals the last entry of the journal (${last.seq}), ${read.state.stage}`)];
  return [
    entry.seq === last.seq - 1
      ? open(name, 'it is one decision behind its journal, as after a kill; a host brings it forward')
      : failed(name, `it is ${last.seq - entry.seq} decisions older than the journal`),
  ];
}

/** What was approved must still be there to be read, and an approval in force must be for what is there now. */
export function checkApprovals(contents: Contents): BundleCheck {
  const name = 'approvals';
  const read = readStateFile(contents);
  if (typeof read === 'string') return open(name, 'without a state there is nothing to look up');
  const kept = new Set(contents.originals.values());
  for (const approval of read.state.approvals) {
    const label = `${approval.gate} round ${approval.round} by ${approval.operator.name}`;
    for (const file of approval.subject.files) {
      const path = file.path.includes('/') ? file.path : `artifacts/${file.path}`;
      const present = contents.originals.get(path);
      // The engine itself writes the facts of a delivery into what was approved at the second gate.
      const mustBePresent = approval.staleSince === null && approval.gate === 'development';
      if (mustBePresent && present !== file.sha256)
        return failed(name, `${label} is in force for another ${path}: ${file.sha256}, there is ${present ?? 'none'}`);
      if (!kept.has(file.sha256)) return failed(name, `${label}: the approved ${path} (${file.sha256}) is not in it`);
    }
  }
  const count = read.state.approvals.length;
  const stale = read.state.approvals.filter((each) => each.staleSince !== null).length;
  return ok(
    name,
    count === 0 ? 'none yet' : `${count} (${stale} stale): each file that was approved is here, by its sha256`,
  );
}

export function checkEvidence(contents: Contents): BundleCheck {
  const name = 'evidence';
  const read = readStateFile(contents);
  if (typeof read === 'string') return open(name, 'without a state there is nothing to look up');
  const stored = read.state.evidence.filter((each) => each.file !== null);
  for (const each of stored) {
    const path = `evidence/${each.file ?? ''}`;
    if (contents.originals.get(path) !== each.sha256)
      return failed(name, `${each.id}: ${path} is not what was recorded`);
  }
  return ok(name, `${stored.length} stored files are what was recorded`);
}

export function checkReviews(contents: Contents): BundleCheck {
  const name = 'reviews';
  const read = readStateFile(contents);
  if (typeof read === 'string') return open(name, 'without a state there is nothing to look up');
  const kept = new Set(contents.originals.values());
  const lost = read.state.reviews.rounds.find((round) => !kept.has(round.report.sha256));
  return lost === undefined
    ? ok(name, `the reports of ${read.state.reviews.rounds.length} rounds are here`)
    : failed(name, `the report of round ${lost.round} is not what was judged`);
}

export function readStateFile({ texts }: Contents): { state: RunState; head: string; seq: number } | string {
  const text = texts.get('state.json');
  if (text === undefined) return 'state.json is not in it';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `state.json does not parse: ${(error as Error).message}`;
  }
  const parsed = stateFileSchema.safeParse(value);
  return parsed.success ? parsed.data : `state.json: ${firstIssue(parsed.error)}`;
}

function isMasked({ manifest }: Contents, path: string): boolean {
  return manifest.files.some((file) => file.path === path && file.original !== null);
}
