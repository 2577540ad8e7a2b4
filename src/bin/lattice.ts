#!/usr/bin/env node
import { withNode } from './with-node.ts';

await withNode(async () => (await import('../cli/lattice.ts')).main(process.argv.slice(2)));
