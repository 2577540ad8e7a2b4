import { join } from 'node:path';

export const repositoryRoot = join(import.meta.dirname, '../..');
export const builtPrograms = {
  gatehouse: join(repositoryRoot, 'dist/bin/gatehouse.js'),
  lattice: join(repositoryRoot, 'dist/bin/lattice.js'),
} as const;
