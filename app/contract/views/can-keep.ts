import type { SnapshotJob } from './snapshot.ts';

/** False for what nothing puts off any more: a job past its hard cap. A button that is always refused is not shown. */
export const canKeep = ({ verdict }: SnapshotJob): boolean => verdict.state !== 'past-cap';
