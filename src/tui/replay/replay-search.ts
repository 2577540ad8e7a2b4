// Finds a text in what a session printed, and walks from hit to hit.
import { inertLine } from '../../core/inert.ts';
import type { Player } from '../../recording/player.ts';
import type { SearchHit } from '../../recording/search.ts';
import type { Desk } from '../screen.ts';

export class ReplaySearch {
  private readonly desk: Desk;
  private hits: readonly SearchHit[] = [];
  private text = '';

  constructor(desk: Desk) {
    this.desk = desk;
  }

  async find(player: Player, text: string): Promise<void> {
    player.pause();
    this.hits = await player.search(text);
    this.text = text;
    if (this.hits.length === 0) this.desk.say({ level: 'info', text: `"${text}" is not in what the session printed` });
    else await this.next(player, 1);
  }

  /** The next hit after (or before) what is shown, around the end. */
  async next(player: Player, by: 1 | -1): Promise<void> {
    const { hits } = this;
    const hit =
      by === 1
        ? (hits.find((each) => each.offset > player.offset) ?? hits[0])
        : (hits.findLast((each) => each.offset < player.offset) ?? hits.at(-1));
    if (hit === undefined) return;
    await player.seekOffset(hit.offset);
    const place = `${hits.indexOf(hit) + 1} of ${hits.length}`;
    this.desk.say({ level: 'info', text: `${place} "${this.text}": ${inertLine(hit.excerpt)}` });
  }
}
