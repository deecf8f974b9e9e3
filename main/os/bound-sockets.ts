import type { ProcessRow } from '../../app/process/row.ts';
import { boundSocketNames } from './linux/sockets/bound-sockets.ts';
import { hasUnseenUsers } from './linux/proc/unseen-users.ts';

/**
 * Names of all sockets that somebody has bound to a path; null where that can't be found out: on every system but Linux. Never connects
 * to one, which its listener would notice. Throws ProcessTableUnreadable.
 */
export const boundSockets = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<string> | null =>
  process.platform === 'linux' ? boundSocketNames(rows, uid) : null;

/** Whether somebody whose sockets can't be seen from here may have some in that folder. */
export const mayHoldUnseenSockets = (folder: string, pidNamespace: string | null): boolean =>
  process.platform !== 'linux' || hasUnseenUsers(folder, pidNamespace);
