import * as fc from 'fast-check';
import { agentPlans } from '../../../played/agent-plans.ts';
import { looks, wineAgents, wineInnocents, wineJobs, type SeededPlan, type WinePlan } from './plan.ts';

const winePlan: fc.Arbitrary<WinePlan> = fc.record({
  agents: agentPlans({ agents: wineAgents, jobs: wineJobs, innocents: wineInnocents }),
  numbers: fc.array(fc.record({ at: fc.integer({ min: 3, max: looks - 1 }), which: fc.nat(20) }), { maxLength: 3 }),
  lookedAt: fc.option(fc.integer({ min: 1, max: looks - 2 }), { freq: 2 }),
  by: fc.constantFrom('reap', 'reap', 'watch'),
  disturbedAfterMs: fc.option(fc.integer({ min: 200, max: 4_000 }), { freq: 2 }),
  atLast: fc.constantFrom('nothing', 'nothing', 'reap-protected', 'run'),
});

/** Returns the world of a seed. */
export const planOf = (seed: number): SeededPlan => {
  const [plan] = fc.sample(winePlan, { seed, numRuns: 1 });
  if (plan === undefined) throw new Error('a seed makes a plan');
  return { seed, plan };
};
