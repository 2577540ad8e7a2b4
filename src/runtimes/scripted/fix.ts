// What the scripted agent knows about a task: facts, edits, tests, and commands that show the behaviour. Data in fixes/.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** decision id -> option id */
export type Choices = Readonly<Record<string, string>>;

interface Conditional {
  /** Applies only with these choices. */
  readonly when?: Choices;
  /** Applies only to this version of the proposal; 2 is the one after an operator's feedback. */
  readonly draft?: number;
}

export interface Edit extends Conditional {
  readonly file: string;
  readonly find: readonly string[];
  readonly replace: readonly string[];
}

export interface NewFile extends Conditional {
  readonly file: string;
  readonly content: readonly string[];
}

interface Picture {
  readonly image?: string;
  /** Name of the pair that this picture belongs to, before or after. */
  readonly pair?: string;
  readonly kind?: 'api';
}

export interface Reproduction extends Picture {
  readonly command: string;
  /** Stands in the output as long as the bug is there. */
  readonly shows: string;
  readonly means: string;
}

export interface BehaviourCommand extends Picture, Conditional {
  readonly command: string;
  readonly expect: readonly string[];
  readonly reject: readonly string[];
}

export interface Behaviour {
  readonly text: string;
  readonly commands: readonly BehaviourCommand[];
}

export interface Inspection {
  readonly file: string;
  readonly find: string;
  readonly lines: number;
  readonly means: string;
}

export interface FixDecision {
  readonly id: string;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly text: string }[];
  readonly recommended: string;
}

export interface Fix {
  readonly task: string;
  readonly summary: string;
  readonly visible: boolean;
  readonly rootCause: string;
  readonly reproduce: readonly Reproduction[];
  readonly inspect: readonly Inspection[];
  readonly userFacing: { readonly terminology: string; readonly wordings: readonly string[] } | null;
  readonly changes: readonly string[];
  readonly keeps: readonly string[];
  readonly redraft?: { readonly changes: readonly string[]; readonly keeps: readonly string[] };
  readonly decisions: readonly FixDecision[];
  readonly behaviours: readonly Behaviour[];
  readonly edits: readonly Edit[];
  /** A change that looks right and is not. */
  readonly weak: { readonly note: string; readonly edits: readonly Edit[] } | null;
  readonly tests: readonly NewFile[];
}

const fixDir = fileURLToPath(new URL('fixes', import.meta.url));

/** Null for a task that the scripted agent knows nothing about. */
export function loadFix(taskId: string): Fix | null {
  const path = join(fixDir, `${taskId}.json`);
  if (!/^[\w.-]+$/.test(taskId) || !existsSync(path)) return null;
  return JSON.parse(readFileSync(path, 'utf8')) as Fix;
}

export function applies(part: Conditional, choices: Choices, draft: number): boolean {
  if (part.draft !== undefined && part.draft !== draft) return false;
  return Object.entries(part.when ?? {}).every(([id, option]) => choices[id] === option);
}

export type EditOutcome = 'done' | 'already' | 'not-found';

/** Replaces the first place; nothing is written when it is not there. */
export function applyEdit(root: string, edit: Edit): EditOutcome {
  const path = join(root, edit.file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const find = edit.find.join('\n');
  const replace = edit.replace.join('\n');
  if (text.includes(replace)) return 'already';
  const at = text.indexOf(find);
  if (at === -1) return 'not-found';
  writeFileSync(path, text.slice(0, at) + replace + text.slice(at + find.length));
  return 'done';
}

export function revertEdit(root: string, edit: Edit): EditOutcome {
  return applyEdit(root, { ...edit, find: edit.replace, replace: edit.find });
}

export function writeNewFile(root: string, file: NewFile): void {
  const path = join(root, file.file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${file.content.join('\n')}\n`);
}

/** 1-based line of a text in a file; 0 when it is not there. */
export function lineOf(root: string, file: string, find: string): number {
  const path = join(root, file);
  if (!existsSync(path)) return 0;
  const text = readFileSync(path, 'utf8');
  const at = text.indexOf(find);
  return at === -1 ? 0 : text.slice(0, at).split('\n').length;
}

/** Whether an output is that of the mended product. Returns what is wrong with it; empty when nothing is. */
export function judgeOutput(output: string, command: BehaviourCommand): string[] {
  const missing = command.expect
    .filter((text) => !output.includes(text))
    .map((text) => `lacks ${JSON.stringify(text)}`);
  const left = command.reject
    .filter((text) => output.includes(text))
    .map((text) => `still has ${JSON.stringify(text)}`);
  return [...missing, ...left];
}
