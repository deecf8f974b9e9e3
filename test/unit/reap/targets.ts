import type { Veto } from '../../../app/judge/verdict.ts';
import { asBootId, asPid, identityKey } from '../../../app/process/identity.ts';
import type { Survey, Target } from '../../../app/reap/target.ts';

/** A veto of whatever kind. */
export const veto: Veto = { code: 'keep-marker', pid: 1, figures: {} };

/** A living process in a group, free to be signalled unless told otherwise. */
export const target = (pid: number, pgid: number, more: Partial<Target> = {}): Target => ({
  key: identityKey({ bootId: asBootId('boot'), pid: asPid(pid), startTicks: 7 }),
  pid,
  pgid,
  stopped: false,
  vetoes: [],
  ...more,
});

/** What an enumeration saw. */
export const sightOf = (living: readonly Target[], ...sharedGroups: readonly number[]): Survey => ({
  living,
  sharedGroups: new Set(sharedGroups),
  overlooked: 'none',
});
