import type { Snapshot } from './snapshot.ts';

/** True when Curfew ends jobs by itself now; while it doesn't, nothing may be announced to end at a time. */
export const endsByItself = ({ mode, pausedUntil, health, platform }: Snapshot): boolean =>
  mode === 'enforce' && pausedUntil === null && health.journalWritable && platform.canReap;
