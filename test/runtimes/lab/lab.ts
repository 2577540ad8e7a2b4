// Everything around one agent program but Gatehouse's processes: an operator's home, a repository, the scripted model,
// a run socket that listens, and the program in a PTY as its adapter wants it started.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeConfig } from '../../../src/core/config.ts';
import type { LaunchContext, RuntimeAdapter } from '../../../src/runtimes/adapter.ts';
import type { RuntimeReport } from '../../../src/core/activity.ts';
import type { RuntimeEvent } from '../../../src/runtimes/event.ts';
import { adapterFor, defaultRuntimeConfig } from '../../../src/runtimes/registry.ts';
import { activityReport } from '../../../src/runtimes/report.ts';
import { judgeSubmission, planSubmit, type SubmitVerdict } from '../../../src/runtimes/submit.ts';
import type { TimelineEntry } from '../../../src/runtimes/timeline.ts';
import { judgeToolCall } from '../../../src/runtimes/tool-call.ts';
import { waitFor } from '../../support/wait-for.ts';
import { launchContext } from '../launch-context.ts';
import { directives } from '../model/directives.ts';
import { type ScriptedModel, startModel } from '../model/server.ts';
import { modelOf, type OperatorHome, operatorHome, type RealRuntime } from './operator-home.ts';
import { labSocket, type LabSocket } from './run-socket.ts';
import { labFolders, type LabSession, patienceMs, startSession } from './session.ts';

export const instructionsMark = 'INSTRUCTIONS-ARRIVED';
export const skillMark = 'SKILL-ARRIVED';

export interface Lab extends AsyncDisposable {
  readonly adapter: RuntimeAdapter;
  readonly config: RuntimeConfig;
  readonly model: ScriptedModel;
  readonly socket: LabSocket;
  readonly operator: OperatorHome;
  readonly folders: ReturnType<typeof labFolders>;
  readonly session: LabSession;
  /** What the program that lives now has reported last. */
  report(): RuntimeReport | null;
  start(more?: Partial<LaunchContext>): LabSession;
  /** Types a message as the host does, and waits for its verdict. */
  submit(text: string, working?: boolean): Promise<SubmitVerdict>;
  /** Waits for an event of this type after the first `from` events. */
  waitForEvent(type: RuntimeEvent['type'], from: number): Promise<void>;
  /** Submits, and waits for the end of the turn. @returns the turn's events. */
  turn(text: string): Promise<readonly RuntimeEvent[]>;
  waitForScreen(what: string, holds: (session: LabSession) => boolean): Promise<void>;
  timeline(): Promise<TimelineEntry[]>;
  conversation(): string;
}

export async function openLab(runtime: RealRuntime): Promise<Lab> {
  const config = defaultRuntimeConfig(runtime);
  const adapter = adapterFor(config);
  const model = await startModel(directives());
  const operator = operatorHome([runtime], model.url);
  const found = await adapter.probe(config, operator.env);
  if (!found.ok) throw new Error(found.message);
  const folders = labFolders(operator.root);
  const files = writeSources(operator.root, folders.worktree);
  const socketPath = join(operator.root, 'run', 's.sock');
  const socket = await labSocket(socketPath, adapter, (event) =>
    event.type === 'tool-called' && event.call !== null
      ? judgeToolCall(event.call, {
          writes: 'scratch',
          worktree: folders.worktree,
          writable: [folders.artifactsDir],
          isProduct: (path) => path.startsWith('src/'),
          stage: 'diagnose',
        })
      : { verdict: 'no-objection' },
  );
  const agentEnv = { ...operator.env, GATEHOUSE_RUN_SOCKET: socketPath, GATEHOUSE_ARTIFACTS: folders.artifactsDir };
  const context: LaunchContext = {
    ...launchContext({ ...folders, ...files, config, agentEnv, program: found.program, model: modelOf[runtime] }),
    latticeBin: join(import.meta.dirname, 'lattice.mjs'),
    prompt: null,
    // So that the program's own hooks are what refuses.
    sandboxed: false,
  };
  let session: LabSession | null = null;
  let starts = 0;
  const current = () => {
    if (session === null) throw new Error('no session was started');
    return session;
  };

  const waitForEvent: Lab['waitForEvent'] = async (type, from) => {
    await waitFor(() => socket.events.slice(from).some((event) => event.type === type), {
      what: () =>
        `${type} after ${
          socket.events
            .slice(from)
            .map((event) => event.type)
            .join(' ') || 'nothing'
        }; screen:\n${current().terminal.text().join('\n')}`,
      timeoutMs: patienceMs,
    });
  };
  const submit: Lab['submit'] = async (text, working = false) => {
    const plan = planSubmit(text, adapter.submit, { tokens: [], working });
    if (!plan.ok) throw new Error(plan.message);
    const from = socket.events.length;
    current().terminal.write(plan.paste);
    await delay(plan.gapMs);
    const draftSeen = adapter.composer(current().screen()).state === 'draft';
    current().terminal.write(plan.enter);
    const startedAt = performance.now();
    return waitFor(
      () => {
        const verdict = judgeSubmission(
          plan.text,
          {
            events: socket.events.slice(from),
            transcript: [],
            draft: adapter.composer(current().screen()),
            draftSeen,
            working,
            sinceEnterMs: performance.now() - startedAt,
          },
          { ...adapter.submit, confirmMs: patienceMs },
        );
        return verdict.verdict === 'waiting' ? null : verdict;
      },
      {
        what: () => `a verdict on "${text.slice(0, 40)}"; screen:\n${current().terminal.text().join('\n')}`,
        timeoutMs: patienceMs,
      },
    );
  };
  const conversation = () => {
    const named = socket.events.findLast((event) => event.session !== null)?.session ?? current().plan.sessionIdKnown;
    if (named === null) throw new Error('the conversation has no name yet');
    return named;
  };

  return {
    adapter,
    config,
    model,
    socket,
    operator,
    folders,
    get session() {
      return current();
    },
    start: (more = {}) => {
      session = startSession({ adapter, context: { ...context, ...more }, env: agentEnv, marker: `start-${++starts}` });
      return session;
    },
    report: () => activityReport(socket.events.filter((event) => event.marker === `start-${starts}`)),
    submit,
    waitForEvent,
    turn: async (text) => {
      const from = socket.events.length;
      const verdict = await submit(text);
      if (verdict.verdict !== 'submitted') throw new Error(`${verdict.verdict}: ${text.slice(0, 60)}`);
      await waitForEvent('turn-ended', from);
      // Some programs tell twice that a turn has ended, and are at rest only after the second time.
      await delay(500);
      return socket.events.slice(from);
    },
    waitForScreen: async (what, holds) => {
      await waitFor(() => holds(current()), {
        what: () => `${what}; title ${current().screen().title}; screen:\n${current().terminal.text().join('\n')}`,
        timeoutMs: patienceMs,
      });
    },
    conversation,
    timeline: async () => {
      const transcript = { ...folders, runtimeSession: conversation(), env: operator.env };
      const path = (await adapter.transcript?.locate(transcript)) ?? null;
      return path === null ? [] : ((await adapter.transcript?.read(path, transcript)) ?? []);
    },
    async [Symbol.asyncDispose]() {
      await session?.[Symbol.asyncDispose]();
      await socket[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      operator[Symbol.dispose]();
    },
  };
}

function writeSources(root: string, worktree: string): Pick<LaunchContext, 'instructionsFile' | 'skillsDir'> {
  const write = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  write(join(worktree, 'src', 'a.js'), 'console.log(1);\n');
  execFileSync('git', ['init', '--quiet'], { cwd: worktree });
  const skill = `---\nname: lattice-demo\ndescription: ${skillMark}\n---\n\nNothing.\n`;
  write(join(root, 'skills', 'lattice-demo', 'SKILL.md'), skill);
  return {
    instructionsFile: write(join(root, 'INSTRUCTIONS.md'), `# ${instructionsMark}\n\nDo the work.\n`),
    skillsDir: join(root, 'skills'),
  };
}
