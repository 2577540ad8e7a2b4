// What can happen to a run. Events carry facts that the edge has checked; `transition` decides what they mean.
import type { Decision } from './decision.ts';
import type {
  ArtifactRecord,
  Delivery,
  Evidence,
  FileHash,
  Finding,
  Halt,
  Operator,
  RepositoryFacts,
  ReviewRound,
  RunState,
  SkillRead,
  Subject,
} from './state.ts';
import type { GateName } from './stage.ts';

interface At {
  /** ISO time. */
  readonly at: string;
}

export type RunEvent = At &
  (
    | { readonly type: 'task.initialized'; readonly repository: RepositoryFacts }
    | { readonly type: 'skill.read'; readonly read: Omit<SkillRead, 'time' | 'stage' | 'entry'> }
    | { readonly type: 'evidence.recorded'; readonly evidence: Evidence }
    | {
        readonly type: 'baseline.synced';
        readonly commit: string;
        readonly conflicts: readonly string[];
        /** The worktree's tree afterwards. */
        readonly tree: string;
      }
    /** The agent asked to leave the stage and everything owed was found in order. */
    | {
        readonly type: 'stage.completed';
        readonly artifacts: readonly ArtifactRecord[];
        /** The present version of each skill of the stage; an older one that was read does not count. */
        readonly skills: readonly Pick<SkillRead, 'name' | 'sha256'>[];
        readonly outcome: StageOutcome;
      }
    | {
        readonly type: 'gate.approved';
        readonly gate: GateName;
        readonly round: number;
        readonly line: string;
        readonly operator: Operator;
        /** What the operator was shown, and what is there now; they must be the same. */
        readonly shown: Subject;
        readonly present: Subject;
      }
    | {
        readonly type: 'gate.sent-back';
        readonly gate: GateName;
        readonly round: number;
        readonly text: string;
        readonly operator: Operator;
      }
    /** What waits at the gate has changed and still satisfies the contract: a person must look again. */
    | {
        readonly type: 'gate.represented';
        readonly subject: Subject;
        readonly artifacts: readonly ArtifactRecord[];
        readonly decisions: readonly Decision[];
      }
    /** An approved artifact is not what was approved any more. */
    | {
        readonly type: 'approval.staled';
        readonly changed: readonly FileHash[];
        readonly subject: Subject;
        /** The worktree's tree now, which may not change until the gate opens again. */
        readonly tree: string;
        /** Decisions of the changed proposal. */
        readonly decisions: readonly Decision[];
        readonly artifacts: readonly ArtifactRecord[];
      }
    | { readonly type: 'round.granted'; readonly operator: Operator }
    | { readonly type: 'run.halted'; readonly halt: Omit<Halt, 'time' | 'from'> }
    /** A person lets a halted run go on from where it stood (after a conflict or a violation was dealt with). */
    | { readonly type: 'run.continued'; readonly operator: Operator; readonly to: 'same' | 'patch' }
    /** A person ended the session; the run stays where it is. */
    | { readonly type: 'session.stopped'; readonly operator: Operator; readonly reason: string }
    | { readonly type: 'delivery.progressed'; readonly delivery: Delivery }
    | {
        readonly type: 'delivery.completed';
        readonly delivery: Delivery;
        readonly artifacts: readonly ArtifactRecord[];
      }
    | { readonly type: 'state.restored'; readonly operator: Operator; readonly state: RunState }
  );

export type StageOutcome =
  | { readonly stage: 'diagnose' }
  | {
      readonly stage: 'draft';
      readonly decisions: readonly Decision[];
      readonly userFacing: boolean;
      readonly visible: boolean;
      readonly subject: Subject;
    }
  /** `session`: who made the change. */
  | { readonly stage: 'implement'; readonly tree: string; readonly session: string | null }
  | { readonly stage: 'review'; readonly round: Omit<ReviewRound, 'round' | 'time'> }
  | { readonly stage: 'patch'; readonly tree: string; readonly session: string | null }
  | { readonly stage: 'verify'; readonly passed: true; readonly subject: Subject; readonly delivery: Delivery }
  | { readonly stage: 'verify'; readonly passed: false; readonly failures: readonly Finding[] };

/** What must be done outside because of a transition. Carried out after the state is durable; each is idempotent. */
export type Effect =
  /** The session must now work in `stage` with its rights; `fresh` asks for a session without memory. */
  | {
      readonly type: 'session.enter';
      readonly stage: RunState['stage'];
      readonly session: 'continue' | 'fresh';
      readonly prompt: PromptKind;
    }
  | { readonly type: 'delivery.start' }
  | { readonly type: 'session.end'; readonly reason: string }
  | { readonly type: 'operator.notify'; readonly why: 'gate' | 'halted' | 'done'; readonly text: string }
  | { readonly type: 'automation.fire'; readonly from: RunState['stage'] | null; readonly to: RunState['stage'] };

/** Why the agent is spoken to; the text itself is made where the session is. */
export type PromptKind = 'start' | 'proceed' | 'approved' | 'feedback' | 'blocked' | 'stale' | 'wait';
