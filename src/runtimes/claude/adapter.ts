import type { RuntimeAdapter } from '../adapter.ts';
import { probeProgram } from '../find-program.ts';
import { defaultRecipe } from '../submit.ts';
import { preToolUseAnswer, readHook } from './events.ts';
import { launchClaude } from './launch.ts';
import { claudeComposer, claudeDialog, claudeTitle, claudeTrouble } from './screen.ts';
import { claudeTranscript } from './transcript.ts';

const facts = {
  name: 'Claude Code',
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  proved: '2.1.332',
  minimum: '2.1.300',
};

export const claudeAdapter: RuntimeAdapter = {
  name: 'claude',
  reports: true,
  resumable: true,
  provedVersion: facts.proved,
  probe: (config, env) => probeProgram(facts, config, env),
  launch: launchClaude,
  readEvent: readHook,
  hookAnswer: preToolUseAnswer,
  titleHint: claudeTitle,
  dialog: claudeDialog,
  trouble: claudeTrouble,
  composer: claudeComposer,
  ready: { kind: 'bracketed-paste' },
  submit: defaultRecipe,
  interrupt: ['\u001b'],
  exit: ['\u0003', '\u0003'],
  transcript: claudeTranscript,
};
