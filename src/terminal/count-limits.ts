// Bounds what one short sequence may have the parser do. A program may ask for a thousand million lines to be scrolled;
// nothing more comes of it than of a screenful, but each would be done, and the host with all its runs would stand still.
import { type Terminal, coreOf } from './xterm-internals.ts';

const byRows = ['S', 'T', 'L', 'M'];
/** Repeating a character (b) is meant for the rest of a line: nobody asks for more than a row of it. */
const byColumns = ['I', 'Z', 'b'];

export function limitCounts(terminal: Terminal): void {
  const core = coreOf(terminal);
  const limit = (finals: readonly string[], most: () => number) => {
    for (const final of finals) {
      core.registerCsiHandler({ final }, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, most());
        // The parser goes on with its own handler, which reads the same parameters.
        return false;
      });
    }
  };
  limit(byRows, () => terminal.rows);
  limit(byColumns, () => terminal.cols);
}
