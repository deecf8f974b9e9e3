import type { ProcessRow } from '../../../app/process/row.ts';

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left === right || (left.length === right.length && left.every((one, index) => one === right[index]));

/** Returns whether two rows are equal. */
export const sameRow = (left: ProcessRow, right: ProcessRow): boolean =>
  left.pid === right.pid &&
  left.ppid === right.ppid &&
  left.pgid === right.pgid &&
  left.sid === right.sid &&
  left.tty === right.tty &&
  left.state === right.state &&
  left.startTicks === right.startTicks &&
  left.startUpSeconds === right.startUpSeconds &&
  left.cpuMs === right.cpuMs &&
  left.rssBytes === right.rssBytes &&
  left.uid === right.uid &&
  left.comm === right.comm &&
  left.kernelThread === right.kernelThread &&
  left.numbers?.own === right.numbers?.own &&
  left.numbers?.starter === right.numbers?.starter &&
  left.windows?.console === right.windows?.console &&
  left.windows?.unsureParent === right.windows?.unsureParent &&
  sameList(left.argv, right.argv);

/** Returns the row of the look before where it is equal, so that what is known of it is kept. */
export const rowOr = (before: ProcessRow | undefined, row: ProcessRow): ProcessRow =>
  before !== undefined && sameRow(before, row) ? before : row;
