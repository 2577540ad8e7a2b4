// What of a session's output is kept. Decided when a run is started, for its whole life.

export const recordPolicies = ['full', 'masked', 'off'] as const;
export type RecordPolicy = (typeof recordPolicies)[number];
