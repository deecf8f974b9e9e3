import { expect, test } from 'vitest';
import type { MacAgentPlan, Disturbance } from '../../../darwin/mac-world.ts';
import { playMac } from '../../../darwin/random-mac.ts';

// Macs whose kernel once refused to answer, each of which showed a fault.

const calm = { hit: [], left: [], problems: [] };

const play = (
  agent: Partial<MacAgentPlan> & Pick<MacAgentPlan, 'agent'>,
  ...disturbances: readonly Disturbance[]
): ReturnType<typeof playMac> =>
  playMac({ agents: [{ endsAt: null, jobs: [], innocents: [], ...agent }], disturbances });

test('a job is ended at the hard cap though its signature was refused to a Curfew that just began', () => {
  const played = play(
    { agent: 'codex', jobs: [{ kind: 'waits', at: 0 }] },
    { at: 12, kind: 'refuse', which: 6 },
    { at: 12, kind: 'restart', which: 0 },
  );
  expect(played).toMatchObject(calm);
  expect(played.signals).toBeGreaterThan(0);
});

test.each(['claude-code', 'codex', 'copilot', 'opencode'] as const)(
  'what launchd started with the marks of %s is spared, also where its coalition was refused at first sight',
  (agent) => {
    const plan = { agent, endsAt: 6, innocents: [{ kind: 'launchd-job', at: 3 }] } as const;
    expect(play(plan, { at: 3, kind: 'refuse', which: 2 })).toMatchObject({ ...calm, signals: 0 });
    expect(play(plan, { at: 3, kind: 'veil', which: 2 })).toMatchObject({ ...calm, signals: 0 });
  },
);
