// Reads the footer that ends an agent's answer and compares it with the state. What an agent says counts for nothing;
// that it says something else than the state is worth a look.
import { compareFooter, parseFooter } from '../core/footer.ts';

export class FooterWatch {
  /** What the last footer claims against the state; null when they agree or there is none. */
  contradiction: string | null = null;

  /** A footer that was on the screen when the stage changed: it speaks of the stage before. */
  private past: string | null = null;

  /** The stage has changed; what was said about the one before counts no more. */
  stageChanged(screen: string): void {
    this.contradiction = null;
    const footer = parseFooter(screen);
    this.past = footer === null ? null : JSON.stringify(footer);
  }

  /** `actual`: the footer that the engine would print now. */
  read(text: string, actual: string): void {
    const claimed = parseFooter(text);
    const facts = parseFooter(actual);
    if (claimed === null || facts === null || JSON.stringify(claimed) === this.past) return;
    this.contradiction = compareFooter(claimed, facts);
  }
}
