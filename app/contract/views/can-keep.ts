import type { SnapshotJob } from './snapshot.ts';

/**
 * False for a job past its hard cap, which can't be kept. A button that is always refused is not
 * shown.
 */
export const canKeep = ({ verdict }: SnapshotJob): boolean => verdict.state !== 'past-cap';
