import { realRuntime } from './suite.ts';

realRuntime({
  runtime: 'opencode',
  task: 'TB-116',
  knowsSkills: true,
  asking: { permissionMode: 'ask', prompt: 'please do this. RUN: touch asked.txt && ls' },
});
