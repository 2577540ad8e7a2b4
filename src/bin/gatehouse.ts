#!/usr/bin/env node
import { withNode } from './with-node.ts';

await withNode(async () => (await import('../cli/gatehouse.ts')).main(process.argv.slice(2)));
