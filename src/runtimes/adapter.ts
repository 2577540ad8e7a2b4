// The one interface between Gatehouse and an agent program. An adapter knows facts about its program and decides
// nothing: it starts no process, owns no PTY and types nothing; host and holder carry out what it says.
import type { RuntimeConfig, RuntimeName } from '../core/config.ts';
import type { WriteRight } from '../core/stage.ts';
import type { StoreFolder } from '../core/store-folder.ts';
import type { RuntimeEvent } from './event.ts';
import type { Dialog, Draft, ScreenView, TitleHint, Trouble } from './screen-view.ts';
import type { SubmitRecipe } from './submit.ts';
import type { TimelineEntry } from './timeline.ts';

export interface RuntimeAdapter {
  readonly name: RuntimeName;
  /** Does the program tell us what it does (hooks, extension, plugin). Without it only title and processes speak. */
  readonly reports: boolean;
  /** Is there a conversation to go on with after the program has ended. */
  readonly resumable: boolean;
  /** The version that the recorded material comes from; null when there is no such thing. */
  readonly provedVersion: string | null;

  /** Finds the program and asks its version. Starts it once, with `--version`. */
  probe(config: RuntimeConfig, env: NodeJS.ProcessEnv): Promise<ProbeResult>;

  /** What to start, and what must be on disk before. Reads at most the program's own settings; writes nothing. */
  launch(context: LaunchContext): LaunchPlan;

  /** What a hook, extension or plugin sent, as events. Never throws: what it does not know is no event. */
  readEvent(payload: unknown, receivedAt: number): RuntimeEvent[];

  /** The answer to a payload, in the form the program understands; null when it wants none. */
  hookAnswer(decision: ToolDecision, payload: unknown): unknown;

  titleHint(title: string): TitleHint;
  /** A question that the program itself puts in place of its composer. Text of the conversation is never one. */
  dialog(screen: ScreenView): Dialog | null;
  /** What a place on the screen where only the program writes says of a failed model request; many report it instead. */
  trouble(screen: ScreenView): Trouble | null;
  /** What stands in the composer, typed by whomever. */
  composer(screen: ScreenView): Draft;
  readonly ready: ReadySignal;
  readonly submit: SubmitRecipe;
  /** Bytes that interrupt a turn, and bytes that ask the program to leave; each item is a write of its own. */
  readonly interrupt: readonly string[];
  readonly exit: readonly string[];

  /** Null when nothing is known of where the program keeps its conversations. */
  readonly transcript: TranscriptReader | null;
}

export type ProbeResult =
  | { readonly ok: true; readonly program: string; readonly version: string; readonly warning?: string }
  | {
      readonly ok: false;
      readonly code: 'runtime.missing' | 'config.invalid';
      readonly message: string;
      readonly hint: string;
    };

export interface LaunchContext {
  readonly runId: string;
  /** `first`: no session before. `resumed`: go on with `runtimeSession`. `fresh`: a new one without memory. */
  readonly kind: 'first' | 'resumed' | 'fresh';
  readonly runtimeSession: string | null;
  /** What the session is to do now; null starts it without a word (a person resumes it by hand). */
  readonly prompt: string | null;
  /** The main instructions, added to the program's own system prompt. */
  readonly instructionsFile: string;
  /** Folder with `<name>/SKILL.md`. */
  readonly skillsDir: string;
  /** Working directory of the session. */
  readonly worktree: string;
  /** The run's private folder for overlays and session stores. */
  readonly runtimeDir: string;
  readonly artifactsDir: string;
  readonly evidenceDir: string;
  readonly model: string | null;
  /** In the program's own words; null leaves it to the operator's settings. */
  readonly permissionMode: string | null;
  readonly writes: WriteRight;
  /** The environment that the session gets: cleaned of credentials, with GATEHOUSE_* and `lattice` on PATH. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** Absolute path of the `lattice` program, for hooks. */
  readonly latticeBin: string;
  readonly config: RuntimeConfig;
  /** `scripted` only: settings of the scenario it plays. */
  readonly scenario: Readonly<Record<string, unknown>> | null;
  /** What `probe` found. */
  readonly program: string;
  /** Is there a sandbox of ours around the program; its own is then left off. */
  readonly sandboxed: boolean;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  /** In addition to `agentEnv`. */
  readonly env: Readonly<Record<string, string>>;
  /** Written 0600 or as `mode` says before the start, folders included; all below `runtimeDir`. */
  readonly files: readonly LaunchFile[];
  /** Folders that the program must be able to write and obeys nothing in. Created when `create` says so. */
  readonly writable: readonly WritablePath[];
  /** Folders of the operator's in which the program keeps settings and state side by side. */
  readonly stores: readonly StoreFolder[];
  /** Single files that hold settings and state together: a session writes a copy, made anew at each start. */
  readonly copied: readonly string[];
  /** The session's id when it is known before the start; otherwise `session-started` brings it. */
  readonly sessionIdKnown: string | null;
  /** False: the prompt was not passed at the start and has to be submitted once it is ready. */
  readonly promptIncluded: boolean;
}

export interface LaunchFile {
  readonly path: string;
  /** Bytes where a file is copied. */
  readonly text: string | Uint8Array;
  readonly mode?: number;
}

export interface WritablePath {
  readonly path: string;
  readonly create: 'folder' | 'no';
}

/** The host's verdict about one tool call, made from `tool-call.ts`. */
export type ToolDecision =
  | { readonly verdict: 'no-objection' }
  | { readonly verdict: 'refused'; readonly reason: string };

export type ReadySignal =
  /** The program switches bracketed paste on. */
  | { readonly kind: 'bracketed-paste' }
  | { readonly kind: 'text'; readonly pattern: RegExp }
  /** Nothing tells. */
  | { readonly kind: 'none' };

export interface TranscriptContext {
  readonly runtimeSession: string;
  readonly worktree: string;
  readonly runtimeDir: string;
  /** The environment of the session: HOME, XDG_*, CLAUDE_CONFIG_DIR, CODEX_HOME. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface TranscriptReader {
  /** The file that holds the conversation, or null when there is none (yet). */
  locate(context: TranscriptContext): Promise<string | null>;
  /** Reads all of it. An entry that cannot be understood is left out. */
  read(path: string, context: TranscriptContext): Promise<TimelineEntry[]>;
}
