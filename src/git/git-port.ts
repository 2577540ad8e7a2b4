// What the engine asks of git (its port), and nothing else.
import { findBaseline, openClone } from './clone.ts';
import { workspace } from './workspace.ts';

export const gitPort = { openClone, findBaseline, workspace };
