// Any command-line agent, known by its configuration alone. It reports nothing, so nothing is claimed: without an
// event its activity is `unknown`, and a message counts as submitted only when the operator sees it.
import { randomUUID } from 'node:crypto';
import type { RuntimeConfig } from '../../core/config.ts';
import type { LaunchContext, LaunchPlan, ReadySignal, RuntimeAdapter } from '../adapter.ts';
import { findProgram } from '../find-program.ts';
import { defaultRecipe } from '../submit.ts';
import { genericDialog } from './dialog.ts';

const escape = /[.*+?^${}()|[\]\\]/g;

export function genericAdapter(config: RuntimeConfig): RuntimeAdapter {
  const ready = readySignal(config.ready);
  const isReady = (row: string) => ready.kind === 'text' && ready.pattern.test(row);
  return {
    name: 'generic',
    reports: false,
    resumable: config.resumeArgs !== undefined,
    provedVersion: null,
    probe: (own, env) => Promise.resolve(probe(own, env)),
    launch,
    readEvent: () => [],
    hookAnswer: () => null,
    titleHint: () => null,
    dialog: (screen) => genericDialog(screen, config, isReady),
    trouble: () => null,
    composer: () => ({ state: 'unknown' }),
    ready,
    submit: { ...defaultRecipe, kind: config.submit },
    interrupt: ['\u001b'],
    exit: ['\u0003', '\u0003'],
    transcript: null,
  };
}

function probe(config: RuntimeConfig, env: NodeJS.ProcessEnv): Awaited<ReturnType<RuntimeAdapter['probe']>> {
  const hint = 'name it in config.json: runtimes.NAME.program';
  if (config.program === undefined)
    return { ok: false, code: 'config.invalid', message: 'a generic runtime needs a program', hint };
  const program = findProgram(config.program, { ...env, ...config.env });
  return program === null
    ? { ok: false, code: 'runtime.missing', message: `${config.program} is not on PATH`, hint }
    : { ok: true, program, version: 'unknown' };
}

/** `{session}` is a name that we give the conversation at its start, for a program that takes one. `{prompt}` among the arguments is replaced; without it the prompt is submitted once the program is ready. */
function launch(context: LaunchContext): LaunchPlan {
  const { config, prompt } = context;
  const goesOn = context.kind === 'resumed' && context.runtimeSession !== null && config.resumeArgs !== undefined;
  const resume = goesOn ? (config.resumeArgs ?? []) : [];
  const session = goesOn ? (context.runtimeSession ?? '') : randomUUID();
  const filled = [...config.args, ...resume].map((arg) =>
    arg
      .replaceAll('{session}', session)
      .replaceAll('{instructions}', context.instructionsFile)
      .replaceAll('{skills}', context.skillsDir)
      .replaceAll('{model}', context.model ?? '')
      .replaceAll('{prompt}', prompt ?? ''),
  );
  return {
    argv: [context.program, ...filled],
    env: config.env,
    files: [],
    writable: [],
    stores: [],
    copied: [],
    sessionIdKnown: config.resumeArgs === undefined ? null : session,
    promptIncluded: config.args.some((arg) => arg.includes('{prompt}')),
  };
}

/** Nothing configured: bracketed paste. `\e` or an ESC byte in front: that mode. Else a text on the screen. */
function readySignal(ready: string | undefined): ReadySignal {
  if (ready === undefined) return { kind: 'bracketed-paste' };
  if (ready === '') return { kind: 'none' };
  if (/^(\\e|\u001b)\[\?2004h$/.test(ready)) return { kind: 'bracketed-paste' };
  return { kind: 'text', pattern: new RegExp(ready.replaceAll(escape, '\\$&')) };
}
