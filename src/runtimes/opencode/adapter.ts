import type { RuntimeAdapter } from '../adapter.ts';
import { probeProgram } from '../find-program.ts';
import { defaultRecipe } from '../submit.ts';
import { readOpencode } from './events.ts';
import { launchOpencode } from './launch.ts';
import { opencodeComposer, opencodeDialog, opencodeTrouble } from './screen.ts';
import { opencodeTranscript } from './transcript.ts';

const facts = {
  name: 'OpenCode',
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  proved: '1.18.33',
  minimum: '1.10.0',
};

export const opencodeAdapter: RuntimeAdapter = {
  name: 'opencode',
  reports: true,
  resumable: true,
  provedVersion: facts.proved,
  probe: (config, env) => probeProgram(facts, config, env),
  launch: launchOpencode,
  readEvent: readOpencode,
  hookAnswer: (decision) =>
    decision.verdict === 'refused' ? { block: true, reason: decision.reason } : { block: false },
  titleHint: () => null,
  dialog: opencodeDialog,
  trouble: opencodeTrouble,
  composer: opencodeComposer,
  // It switches bracketed paste on long before it takes input. A session that goes on shows no hint, only the footer, over
  // which a long path of the worktree may lie but for its end.
  ready: { kind: 'text', pattern: /Ask anything| commands *$/m },
  submit: defaultRecipe,
  interrupt: ['\u001b', '\u001b'],
  exit: ['\u0003'],
  transcript: opencodeTranscript,
};
