import type { Delivery } from './state.ts';

/** What is known of a delivery, by its name on every screen, in the order in which it comes about. */
export function deliveryFacts(delivery: Delivery): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    ['review branch', delivery.reviewBranch],
    ['review commit', delivery.reviewCommit],
    ['compare', delivery.compareLink],
    ['final commit', delivery.finalCommit],
    ['merge commit', delivery.mergeCommit],
    ['merged into', delivery.pushedTo],
    ['task status', delivery.taskStatus],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
