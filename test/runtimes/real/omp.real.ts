import { realRuntime } from './suite.ts';

realRuntime({
  runtime: 'omp',
  task: 'TB-101',
  knowsSkills: true,
  asking: { permissionMode: 'always-ask', prompt: 'please do this. RUN: touch asked.txt && ls' },
});
