import type { SnapshotJob } from './snapshot.ts';

/**
 * True if the judge wants the job ended or the user told. Tray, popover and notifications count
 * these.
 */
export const needsLook = (job: SnapshotJob): boolean => job.verdict.action !== 'none';
