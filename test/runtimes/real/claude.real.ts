import { realRuntime } from './suite.ts';

realRuntime({
  runtime: 'claude',
  task: 'TB-102',
  knowsSkills: true,
  asking: { permissionMode: 'manual', prompt: 'please do this. RUN: touch asked.txt && ls' },
  unattendedMode: 'bypassPermissions',
});
