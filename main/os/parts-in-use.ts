import type { ProcessRow } from '../../app/process/row.ts';
import { partsInUse as onLinux } from './linux/probe/parts-in-use.ts';

/**
 * Returns the parts of all paths that processes use, or null if unknown: on every system but Linux.
 * @throws ProcessTableUnreadable
 */
export const partsInUse = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<string> | null =>
  process.platform === 'linux' ? onLinux(rows, uid) : null;
