import { isLeftover, isProbable, needsLook } from '../../../app/contract/claims/claims.ts';
import { leftoverGroups, leftoverKey } from '../../../app/contract/claims/leftovers.ts';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';

/** A card: a job that needs a look, a leftover, or one that is being ended or just was. */
export interface LookItem {
  readonly id: string;
  /** null if it has ended. */
  readonly job: SnapshotJob | null;
  readonly reaping: ReapingView | null;
}

const isReplaced = ({ owner, verdict }: SnapshotJob): boolean => owner === 'live' && verdict.state === 'orphaned';

/** Jobs of a snapshot in the popover's groups, worst first within each. */
export interface JobGroups {
  readonly look: readonly LookItem[];
  readonly within: readonly SnapshotJob[];
  readonly kept: readonly SnapshotJob[];
  readonly protectedOnes: readonly SnapshotJob[];
}

const severity: Readonly<Record<SnapshotJob['verdict']['state'], number>> = {
  'past-cap': 0,
  orphaned: 1,
  overdue: 2,
  probable: 3,
  protected: 4,
  kept: 5,
  within: 6,
};

/** Rank of the session or project of each leftover: together, and the next to end first. */
const groupRanks = (snapshot: Pick<Snapshot, 'jobs' | 'reapings'>): ReadonlyMap<string, number> =>
  new Map(leftoverGroups({ jobs: snapshot.jobs, reapings: [] }).map(({ key }, rank) => [key, rank]));

const worstFirst =
  (ranks: ReadonlyMap<string, number>) =>
  (left: SnapshotJob, right: SnapshotJob): number =>
    severity[left.verdict.state] - severity[right.verdict.state] ||
    (ranks.get(leftoverKey(left)) ?? 0) - (ranks.get(leftoverKey(right)) ?? 0) ||
    Date.parse(left.startedAt) - Date.parse(right.startedAt);

/** Puts each job into exactly one group; a reaping without a job is a card of its own. */
export const jobGroups = (snapshot: Pick<Snapshot, 'jobs' | 'reapings'>): JobGroups => {
  const reapings = new Map(snapshot.reapings.map((reaping) => [reaping.job, reaping]));
  const jobs = snapshot.jobs.toSorted(worstFirst(groupRanks(snapshot)));
  // Probable, or left under an open session: never ended by itself, its card has the button.
  const isLook = (job: SnapshotJob): boolean =>
    needsLook(job) || isLeftover(job) || isProbable(job) || isReplaced(job) || reapings.has(job.id);
  const rest = jobs.filter((job) => !isLook(job));
  const present = new Set(jobs.map((job) => job.id));
  return {
    look: [
      ...jobs.filter(isLook).map((job) => ({ id: job.id, job, reaping: reapings.get(job.id) ?? null })),
      ...snapshot.reapings
        .filter((reaping) => !present.has(reaping.job))
        .map((reaping) => ({ id: reaping.job, job: null, reaping })),
    ],
    within: rest.filter((job) => job.verdict.state !== 'kept' && job.verdict.state !== 'protected'),
    kept: rest.filter((job) => job.verdict.state === 'kept'),
    protectedOnes: rest.filter((job) => job.verdict.state === 'protected'),
  };
};
