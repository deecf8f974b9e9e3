import type { SnapshotJob } from './snapshot.ts';

/** True when the judge wants something done about the job, or the person told: what tray, popover and notifications count. */
export const needsLook = (job: SnapshotJob): boolean => job.verdict.action !== 'none';
