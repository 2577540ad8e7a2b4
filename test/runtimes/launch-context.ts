import type { LaunchContext } from '../../src/runtimes/adapter.ts';
import { defaultRuntimeConfig } from '../../src/runtimes/registry.ts';

export function launchContext(more: Partial<LaunchContext> = {}): LaunchContext {
  return {
    runId: 'TB-101-a1',
    kind: 'first',
    runtimeSession: null,
    prompt: 'Read the instructions, then start.',
    instructionsFile: '/r/INSTRUCTIONS.md',
    skillsDir: '/r/skills',
    worktree: '/h/runs/TB-101-a1/worktree',
    runtimeDir: '/h/runs/TB-101-a1/runtime',
    artifactsDir: '/h/runs/TB-101-a1/artifacts',
    evidenceDir: '/h/runs/TB-101-a1/evidence',
    model: null,
    permissionMode: null,
    writes: 'scratch',
    agentEnv: { HOME: '/home/op', PATH: '/usr/bin' },
    latticeBin: '/opt/gatehouse/bin/lattice',
    config: defaultRuntimeConfig('scripted'),
    scenario: null,
    program: '/usr/bin/agent',
    sandboxed: true,
    ...more,
  };
}
