import type { Snapshot } from './snapshot.ts';

/** True if Curfew ends jobs automatically now. Otherwise no end may be announced. */
export const endsByItself = ({ mode, pausedUntil, health, platform }: Snapshot): boolean =>
  mode === 'enforce' && pausedUntil === null && health.journalWritable && platform.canReap;
