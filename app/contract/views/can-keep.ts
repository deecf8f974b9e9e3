import type { SnapshotJob } from './snapshot.ts';

/**
 * False for a `curfew run` past its hard cap, which can't be kept. A button that is always refused
 * is not shown.
 */
export const canKeep = ({ verdict, run }: Pick<SnapshotJob, 'verdict' | 'run'>): boolean =>
  verdict.state !== 'past-cap' || run === undefined;
