import { describe, expect, test } from 'vitest';
import { type FooterFacts, formatFooter } from '../../src/core/footer.ts';
import { FooterWatch } from '../../src/host/footer-watch.ts';

const gate: FooterFacts = {
  task: 'T-1',
  stage: 'await-development',
  stageNumber: 4,
  pendingToken: '[START DEVELOPMENT]',
  reviewCount: 0,
  reviewLimit: 6,
  artifact: 'idea.md',
};
const implement: FooterFacts = { ...gate, stage: 'implement', stageNumber: 5, pendingToken: null, artifact: 'plan.md' };

describe('the footer of an answer', () => {
  test('that contradicts the state disputes the run, until one agrees', () => {
    const watch = new FooterWatch();
    watch.read(formatFooter(implement), formatFooter(gate));
    expect(watch.contradiction).toContain('stage');
    watch.read(formatFooter(gate), formatFooter(gate));
    expect(watch.contradiction).toBeNull();
  });

  test('of the stage before, still on a resumed screen, disputes nothing; a new claim does', () => {
    const watch = new FooterWatch();
    watch.stageChanged(`answer\n${formatFooter(gate)}`);
    watch.read(formatFooter(gate), formatFooter(implement));
    expect(watch.contradiction).toBeNull();
    watch.read(formatFooter({ ...gate, reviewCount: 3 }), formatFooter(implement));
    expect(watch.contradiction).toContain('reviews');
  });
});
