import type { ProcessRow } from '../../app/process/row.ts';
import { boundSocketNames } from './linux/sockets/bound-sockets.ts';
import { hasUnseenUsers } from './linux/proc/unseen-users.ts';

/**
 * Returns the names of all sockets bound to a path, or null if unknown: on every system but Linux.
 * Never connects to a socket, which its listener would notice.
 * @throws ProcessTableUnreadable
 */
export const boundSockets = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<string> | null =>
  process.platform === 'linux' ? boundSocketNames(rows, uid) : null;

/** Returns whether a process whose sockets can't be seen from here may have some in that folder. */
export const mayHoldUnseenSockets = (folder: string, pidNamespace: string | null): boolean =>
  process.platform !== 'linux' || hasUnseenUsers(folder, pidNamespace);
