import type { LookFacts, MetricFacts } from '../../../app/metrics/facts.ts';

/** What a supervisor of a machine with one leftover of Codex and two other machines publishes. */
export const sampleLook: LookFacts = {
  version: '1.2.3',
  startedAtMs: 1_700_000_000_000,
  lastScanMs: 1_700_000_100_500,
  cost: { scans: 20, seconds: 0.25, cpuSeconds: 0.125 },
  processes: 312,
  jobs: [{ agent: 'codex', kind: 'task', owner: 'gone', verdict: 'orphaned', isLeftover: true, jobs: 1, rssBytes: 5 }],
  outOfReach: [{ agent: 'codex', agents: 2 }],
  atWork: 2,
  quietSinceMs: null,
  mode: 'enforce',
  isPaused: false,
  hosts: [
    { host: 'web1', reachable: true, leftovers: 3, leftoverBytes: 77 },
    { host: 'web2', reachable: false },
  ],
};

/** All that is known while such a supervisor watches. */
export const sampleFacts: MetricFacts = {
  version: '9.9.9',
  watching: { kind: 'watching', facts: sampleLook },
  ends: {
    kind: 'read',
    sinceMs: 1_600_000_000_000,
    totals: [
      { agent: 'claude-code', outcome: 'killed', ends: 4, processes: 9, freedBytes: 4096, survivors: 0 },
      { agent: 'claude-code', outcome: 'survived', ends: 1, processes: 1, freedBytes: 1, survivors: 2 },
    ],
  },
};
