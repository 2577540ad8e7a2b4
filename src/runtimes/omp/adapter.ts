import { dirname } from 'node:path';
import type { RuntimeAdapter, ToolDecision } from '../adapter.ts';
import { probeProgram } from '../find-program.ts';
import { defaultRecipe } from '../submit.ts';
import { readOmp } from './events.ts';
import { launchOmp } from './launch.ts';
import { ompComposer, ompDialog, ompTitle, ompTrouble } from './screen.ts';
import { ompTranscript } from './transcript.ts';

const facts = {
  name: 'oh-my-pi',
  program: 'omp',
  // Later releases name packages that npm does not have.
  install: 'npm install -g bun @oh-my-pi/pi-coding-agent@18.2.3',
  proved: '18.2.3',
  minimum: '18.0.0',
};

export const ompAdapter: RuntimeAdapter = {
  name: 'omp',
  reports: true,
  resumable: true,
  provedVersion: facts.proved,
  // Its first line asks for `bun`, which npm puts beside it.
  probe: (config, env) =>
    probeProgram(facts, config, {
      ...env,
      PATH: `${env.PATH ?? ''}:${config.program?.includes('/') ? dirname(config.program) : ''}`,
    }),
  launch: launchOmp,
  readEvent: readOmp,
  hookAnswer: (decision: ToolDecision) =>
    decision.verdict === 'refused' ? { block: true, reason: decision.reason } : { block: false },
  titleHint: ompTitle,
  dialog: ompDialog,
  trouble: ompTrouble,
  composer: ompComposer,
  ready: { kind: 'bracketed-paste' },
  submit: defaultRecipe,
  interrupt: ['\u001b'],
  exit: ['\u0003', '\u0003'],
  transcript: ompTranscript,
};
