import type { Snapshot, SnapshotJob } from '../views/snapshot.ts';
import { isLeftover, isProbable } from './claims.ts';

/** What jobs hold together. */
export interface Holdings {
  readonly jobs: number;
  readonly processes: number;
  readonly rssBytes: number;
  readonly ports: readonly number[];
}

/** Leftovers of one session, or of one project where no session is known. */
export interface LeftoverGroup {
  readonly key: string;
  readonly agent: string;
  readonly project: string | null;
  readonly host: string;
  readonly goneSince: string | null;
  /** The first to end comes first. */
  readonly jobs: readonly SnapshotJob[];
}

/** Returns what some jobs hold together. Shared memory counts for each process. */
export const holdingsOf = (jobs: readonly SnapshotJob[]): Holdings => ({
  jobs: jobs.length,
  processes: jobs.reduce((sum, job) => sum + job.members.length, 0),
  rssBytes: jobs.reduce((sum, job) => sum + job.holds.rssBytes, 0),
  ports: [...new Set(jobs.flatMap(({ holds }) => holds.ports))].toSorted((left, right) => left - right),
});

/** Identifies the session or project whose leftover a job is. */
export const leftoverKey = ({ host, agent, session, project, id }: SnapshotJob): string =>
  session !== null
    ? `${host} ${agent} ${session} ${project ?? ''}`
    : project === null
      ? `${host} ${id}`
      : `${host} ${agent} ${project}`;

const endMs = ({ verdict, startedAt }: SnapshotJob): number =>
  Date.parse(verdict.endsAt ?? verdict.at ?? '9999-01-01') + Date.parse(startedAt) / 1e15;

const goingIn = (reapings: Snapshot['reapings']): ReadonlySet<string> =>
  new Set(reapings.filter(({ phase }) => phase !== 'ended').map(({ job, host }) => `${host} ${job}`));

/** True if the user may have a job ended now: it is not protected, and not being ended. */
export const canEnd = (
  { id, host, verdict }: SnapshotJob,
  { platform, reapings }: Pick<Snapshot, 'platform' | 'reapings'>,
): boolean => platform.canReap && verdict.state !== 'protected' && !goingIn(reapings).has(`${host} ${id}`);

/** Returns what is probably left over and is not being ended, the oldest first. */
export const probableLeftovers = ({ jobs, reapings }: Pick<Snapshot, 'jobs' | 'reapings'>): readonly SnapshotJob[] => {
  const going = goingIn(reapings);
  return jobs
    .filter((job) => isProbable(job) && !going.has(`${job.host} ${job.id}`))
    .toSorted((left, right) => Date.parse(left.startedAt) - Date.parse(right.startedAt));
};

/**
 * Returns the proved leftovers that the user may end, by session and project; the group with the
 * next end comes first. Jobs that are being ended are left out.
 */
export const leftoverGroups = ({ jobs, reapings }: Pick<Snapshot, 'jobs' | 'reapings'>): readonly LeftoverGroup[] => {
  const going = goingIn(reapings);
  const leftovers = jobs
    .filter((job) => isLeftover(job) && !going.has(`${job.host} ${job.id}`))
    .toSorted((left, right) => endMs(left) - endMs(right));
  return [...Map.groupBy(leftovers, leftoverKey)].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { agent, project, host, goneSince } = first;
    return [{ key, agent, project, host, goneSince, jobs: group }];
  });
};
