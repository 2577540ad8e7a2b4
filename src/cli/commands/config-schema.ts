import { configJsonSchema } from '../../core/config.ts';
import { exitDone, sayJson } from '../output.ts';

export function printSchema(): Promise<number> {
  sayJson(configJsonSchema());
  return Promise.resolve(exitDone);
}
