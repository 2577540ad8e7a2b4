import { describe, expect, it } from 'vitest';
import { runtimeConfigSchema } from '../../src/core/config.ts';
import { adapterFor } from '../../src/runtimes/registry.ts';
import { launchContext } from './launch-context.ts';

const config = runtimeConfigSchema.parse({
  kind: 'generic',
  program: 'sh',
  args: ['--notes', '{instructions}'],
  resumeArgs: ['--continue', '{session}'],
  ready: 'ready>',
  submit: 'type-enter',
});

describe('generic runtime', () => {
  const adapter = adapterFor(config);
  it('is found on PATH, or missing with a hint', async () => {
    expect(await adapter.probe(config, process.env)).toMatchObject({ ok: true, version: 'unknown' });
    expect(await adapter.probe({ ...config, program: 'no-such-agent' }, process.env)).toMatchObject({
      ok: false,
      code: 'runtime.missing',
    });
  });
  it('is started with what its configuration says, and is given the prompt when it is ready', () => {
    const plan = adapter.launch(launchContext({ config, program: '/bin/sh' }));
    expect(plan).toMatchObject({ argv: ['/bin/sh', '--notes', '/r/INSTRUCTIONS.md'], promptIncluded: false });
    expect(adapter.ready).toEqual({ kind: 'text', pattern: /ready>/ });
  });
  it('C039: goes on with the recorded session', () => {
    const plan = adapter.launch(launchContext({ config, program: '/bin/sh', kind: 'resumed', runtimeSession: 's-1' }));
    expect(plan.argv.slice(-2)).toEqual(['--continue', 's-1']);
    expect(plan.sessionIdKnown).toBe('s-1');
  });
  it('C039: is given a name for its conversation when it is started, if it can go on with one', () => {
    const named = { ...config, args: ['--session', '{session}'] };
    const plan = adapter.launch(launchContext({ config: named, program: '/bin/sh' }));
    expect(plan.argv).toEqual(['/bin/sh', '--session', plan.sessionIdKnown]);
    expect(plan.sessionIdKnown).toMatch(/^[0-9a-f-]{36}$/);
    const { resumeArgs: _, ...forgets } = named;
    expect(adapter.launch(launchContext({ config: forgets, program: '/bin/sh' })).sessionIdKnown).toBeNull();
  });
  it('C001: claims nothing about its activity', () => {
    expect(adapter.reports).toBe(false);
    expect(adapter.titleHint('Working…')).toBeNull();
  });
});
