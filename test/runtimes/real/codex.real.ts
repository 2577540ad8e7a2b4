import { realRuntime } from './suite.ts';

realRuntime({
  runtime: 'codex',
  task: 'TB-112',
  knowsSkills: false,
  asking: { permissionMode: 'on-request', prompt: 'please do this. ASK: touch asked.txt && ls' },
  undisturbed: true,
});
