import { expect } from 'vitest';
import type { Scene } from '../os/scene/scene.ts';
import type { Scan } from '../os/scene/schemas.ts';
import { beginnerOf, type CastJob } from './cast.ts';
import { processesOf } from './diary.ts';
import { livesOn, type WorldPlan } from './world.ts';

/** Whether nothing else in the world could own what a session left, and nothing was done to it. */
const isAlone = ({ sessions, innocents, agents, steps, disturbances }: WorldPlan): boolean =>
  innocents.length + agents.length + steps.length + disturbances.length === 0 &&
  sessions.every((one) => !livesOn(one) && one.fate !== 'background');

/**
 * Fails unless `scan --all` lists what marks alone tell to be left over: as claimed, nothing about
 * to be done to it, and as probably left over where nothing that lives could own it.
 * @param scanAll makes that scan
 */
export const expectClaimed = async (
  stage: Scene,
  plan: WorldPlan,
  jobs: readonly CastJob[],
  scanAll: () => Promise<Pick<Scan, 'jobs'>>,
): Promise<void> => {
  const left = jobs.filter(({ claimed, number }) => claimed && processesOf(stage, number).length > 0);
  if (left.length === 0) return;
  const look = await scanAll();
  for (const job of left) {
    const pids = new Set(processesOf(stage, job.number).map(({ pid }) => pid));
    const told = look.jobs.filter(({ members }) => members.some(({ pid }) => pids.has(pid)));
    const what = `${job.kind} of ${beginnerOf(job)}, by its marks alone`;
    if (told.length === 0) throw new Error(`${what}, is not listed`);
    for (const { proof, verdict } of told) {
      expect({ what, proof }).toEqual({ what, proof: 'claimed' });
      expect({ what, action: verdict.action }).not.toEqual({ what, action: 'reap' });
      if (isAlone(plan)) expect({ what, state: verdict.state }).toEqual({ what, state: 'probable' });
    }
  }
};
