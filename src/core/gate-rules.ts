// What happens at the two gates. An approval opens a gate only for exactly what was shown, once.
import { judgeLine } from './approval-line.ts';
import { reject } from './rejection.ts';
import { type Finding, type RunState, openDecisions, openGateOf, validApproval } from './state.ts';
import { sameSubject, subjectDifference } from './subject.ts';
import {
  type Of,
  type Step,
  type Verdict,
  accept,
  enter,
  gateNotice,
  mergeArtifacts,
  openGate,
  refuse,
  session,
  wrongStage,
} from './verdict.ts';

export function approved(state: RunState, event: Of<'gate.approved'>): Verdict {
  const gate = openGateOf(state);
  if (gate === null || gate.name !== event.gate || gate.round !== event.round)
    return noSuchGate(state, event.gate, event.round);
  const decisions = openDecisions(state);
  const line = judgeLine(event.line, gate.name, state.tokens, decisions);
  if (!line.ok) return refuse(reject(line.code, line.why, 'nothing was changed; type the line in full'));
  if (!sameSubject(event.shown, event.present) || !sameSubject(event.shown, gate.subject)) {
    const difference =
      subjectDifference(event.shown, event.present).join(', ') ||
      subjectDifference(event.shown, gate.subject).join(', ');
    return refuse(
      reject(
        'gate.stale',
        `what was shown is not what is there now: ${difference}`,
        'look at the new version, then approve that',
      ),
    );
  }
  const token = state.tokens[gate.name];
  const approval = {
    gate: gate.name,
    round: gate.round,
    line: event.line,
    token,
    choices: { ...line.choices },
    operator: event.operator,
    time: event.at,
    subject: gate.subject,
    staleSince: null,
  };
  const withApproval: RunState = {
    ...state,
    gate: null,
    approvals: [...state.approvals, approval],
    decisions: state.decisions.map((d) => ({ ...d, chosen: line.choices[d.id] ?? d.chosen })),
  };
  const step: Step = {
    actor: 'operator',
    at: event.at,
    reason: `${event.operator.name} approved with ${event.line}`,
    files: gate.subject.files,
    approval: { token, line: event.line, operator: event.operator.name, time: event.at, subject: gate.subject },
  };
  if (gate.name === 'development') {
    const next = enter(withApproval, 'implement', step);
    return accept(state, next, [session(next, 'continue', 'approved')]);
  }
  const next = enter(withApproval, 'submit', step);
  return accept(state, next, [{ type: 'delivery.start' }]);
}

export function sentBack(state: RunState, event: Of<'gate.sent-back'>): Verdict {
  const gate = openGateOf(state);
  if (gate === null || gate.name !== event.gate || gate.round !== event.round)
    return noSuchGate(state, event.gate, event.round);
  if (event.text.trim() === '')
    return refuse(reject('usage.invalid', 'feedback needs a reason', 'say what has to change'));
  const note = { gate: gate.name, round: gate.round, text: event.text, operator: event.operator.name, time: event.at };
  const toAnswer = gate.name === 'testing' ? [feedbackFinding(state, event.text)] : state.toAnswer;
  const next = enter(
    { ...state, gate: null, feedback: [...state.feedback, note], toAnswer },
    gate.name === 'development' ? 'draft' : 'patch',
    {
      actor: 'operator',
      at: event.at,
      reason: `${event.operator.name} sent it back: ${event.text}`,
    },
  );
  return accept(state, next, [session(next, 'continue', 'feedback')]);
}

export function represented(state: RunState, event: Of<'gate.represented'>): Verdict {
  const gate = openGateOf(state);
  if (gate === null) return refuse(reject('gate.not-open', 'no gate waits', 'see: gatehouse show RUN'));
  // Other words about the same tree can be presented again; another tree has to be reviewed and verified first.
  const tree = gate.name === 'testing' ? state.verification.tree : null;
  if (event.subject.tree !== tree) return wrongStage(state, 'presenting another tree');
  const decisions = gate.name === 'development' ? [...event.decisions] : state.decisions;
  const base = { ...state, decisions, artifacts: mergeArtifacts(state.artifacts, event.artifacts) };
  const next = openGate(base, gate.name, event.subject, event.at);
  return { ok: true, state: next, effects: [gateNotice(next)] };
}

export function staled(state: RunState, event: Of<'approval.staled'>): Verdict {
  if (validApproval(state, 'development') === undefined) {
    return refuse(reject('gate.not-open', 'there is no approval in force', 'see: gatehouse show RUN'));
  }
  // What is being delivered is the tree that was approved, whatever happens to the files now.
  if (state.stage === 'submit') return wrongStage(state, 'withdrawing an approval');
  const stale = {
    ...state,
    halt: null,
    approvals: state.approvals.map((a) => ({ ...a, staleSince: a.staleSince ?? event.at })),
    decisions: [...event.decisions],
    artifacts: mergeArtifacts(state.artifacts, event.artifacts),
    product: event.tree,
  };
  const reason = `approved ${event.changed.map((f) => f.path).join(', ')} changed; the gate is closed again`;
  const next = openGate(
    enter(stale, 'await-development', { actor: 'engine', at: event.at, reason, files: [...event.changed] }),
    'development',
    event.subject,
    event.at,
  );
  return accept(state, next, [session(next, 'continue', 'stale'), gateNotice(next)]);
}

function feedbackFinding(state: RunState, text: string): Finding {
  const number = state.feedback.filter((f) => f.gate === 'testing').length + 1;
  return { id: `O${number}`, severity: 'blocking', title: text, place: null };
}

function noSuchGate(state: RunState, gate: string, round: number): Verdict {
  if (state.stage === 'halted') {
    return refuse(
      reject(
        'run.halted',
        `the run is halted: ${state.halt?.reason ?? ''}`,
        'deal with that first; then the gate opens again',
      ),
    );
  }
  const last = state.approvals.findLast((a) => a.gate === gate && a.round === round);
  if (last !== undefined) {
    return refuse(
      reject(
        'gate.already-decided',
        `${last.operator.name} approved this gate at ${last.time}`,
        'nothing was changed; see: gatehouse show RUN',
      ),
    );
  }
  const back = state.feedback.findLast((f) => f.gate === gate && f.round === round);
  if (back !== undefined) {
    return refuse(
      reject(
        'gate.already-decided',
        `${back.operator} sent this gate back at ${back.time}`,
        'nothing was changed; see: gatehouse show RUN',
      ),
    );
  }
  if (state.gate !== null) {
    return refuse(
      reject(
        'gate.stale',
        `the ${state.gate.name} gate waits in round ${state.gate.round}, not ${gate} in round ${round}`,
        'look at what waits now',
      ),
    );
  }
  return refuse(reject('gate.not-open', `no gate waits; the run is in ${state.stage}`, 'see: gatehouse show RUN'));
}
