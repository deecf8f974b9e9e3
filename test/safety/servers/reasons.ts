import { expect } from 'vitest';
import type { Scene } from '../../os/scene/scene.ts';
import type { Scan } from '../../os/scene/schemas.ts';
import type { CastJob } from '../cast.ts';
import { processesOf } from '../diary.ts';
import { servingOf, type WorldPlan } from '../world.ts';
import { isServerKind, reasonFor } from './kinds.ts';

/** The reason that the world foretells for a server which stays; null for none. */
const foretold = ({ begunBy, kind }: CastJob, plan: WorldPlan): string | null => {
  if (begunBy.kind === 'run' || !isServerKind(kind)) return null;
  const state = servingOf(begunBy.plan, plan);
  return state === null ? null : reasonFor(kind, state);
};

/**
 * Fails unless `scan --all` says of every server that stays why it does.
 * @param scanAll makes that scan
 */
export const expectReasons = async (
  stage: Scene,
  plan: WorldPlan,
  jobs: readonly CastJob[],
  scanAll: () => Promise<Pick<Scan, 'jobs'>>,
): Promise<void> => {
  const expected = jobs.flatMap((job) => {
    const reason = foretold(job, plan);
    return reason === null ? [] : [{ job, reason }];
  });
  if (expected.length === 0) return;
  const look = await scanAll();
  for (const { job, reason } of expected) {
    const pids = new Set(processesOf(stage, job.number).map(({ pid }) => pid));
    const told = look.jobs
      .filter(({ members }) => members.some(({ pid }) => pids.has(pid)))
      .flatMap(({ verdict }) =>
        verdict.reasons.map(({ code, figures = {} }) =>
          [code, figures['why'] ?? figures['veto'] ?? ''].join(' ').trim(),
        ),
      );
    expect(told, `why ${job.kind} of ${JSON.stringify(job.begunBy.plan)} stays`).toContain(reason);
  }
};
