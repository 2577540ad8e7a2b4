// The consoles of one test file; they are closed after each test.
import { afterEach } from 'vitest';
import { ConsoleRig, type RigOptions } from './console-rig.ts';

const rigs: ConsoleRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

export function openRig(options: RigOptions): Promise<ConsoleRig> {
  const rig = new ConsoleRig(options);
  rigs.push(rig);
  return rig.open();
}
