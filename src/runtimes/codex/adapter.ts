import type { RuntimeAdapter } from '../adapter.ts';
import { preToolUseAnswer, readHook } from '../claude/events.ts';
import { probeProgram } from '../find-program.ts';
import { defaultRecipe } from '../submit.ts';
import { launchCodex } from './launch.ts';
import { codexComposer, codexDialog, codexTitle, codexTrouble } from './screen.ts';
import { codexTranscript } from './transcript.ts';

const facts = {
  name: 'Codex',
  program: 'codex',
  install: 'npm install -g @openai/codex',
  proved: '0.171.0',
  minimum: '0.160.0',
};

export const codexAdapter: RuntimeAdapter = {
  name: 'codex',
  reports: true,
  resumable: true,
  provedVersion: facts.proved,
  probe: (config, env) => probeProgram(facts, config, env),
  launch: launchCodex,
  readEvent: readHook,
  hookAnswer: preToolUseAnswer,
  titleHint: codexTitle,
  dialog: codexDialog,
  trouble: codexTrouble,
  composer: codexComposer,
  ready: { kind: 'bracketed-paste' },
  // Enter would break off the running answer; Tab queues behind it.
  submit: { ...defaultRecipe, gapMs: 300, enterWhileWorking: '\t' },
  interrupt: ['\u001b'],
  exit: ['\u0003', '\u0003'],
  transcript: codexTranscript,
};
