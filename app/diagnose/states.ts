import type { Finder } from './subject.ts';
import { hasEnded } from '../process/row.ts';
import { nameOf, probeOf, standstillSeconds } from './subject.ts';
import { waitedSeconds } from './waits.ts';

/** A member that was stopped (by a signal, or because it touched a terminal from the background). */
export const findStopped: Finder = (subject, watch) => {
  const stopped = subject.members.find(({ row }) => row.state === 'T')?.row;
  if (stopped === undefined) return null;
  const seconds = waitedSeconds(subject, watch, stopped);
  return {
    code: 'stopped',
    figures: { pid: stopped.pid, ...(seconds === null || seconds === 0 ? {} : { seconds }) },
  };
};

/** A parent waits in the same state for a child made by vfork to become another program; that is no disk. */
const forks = /vfork|clone|fork/u;

/** A member that has waited uninterruptibly, without running once, for longer than a disk that is merely busy takes. */
export const findDiskWait: Finder = (subject, watch) => {
  for (const { row } of subject.members) {
    const seconds = waitedSeconds(subject, watch, row) ?? 0;
    const place = probeOf(subject, row.pid)?.place ?? null;
    if (row.state !== 'D' || seconds < standstillSeconds(subject) || (place !== null && forks.test(place))) continue;
    return { code: 'disk-wait', figures: { pid: row.pid, seconds, ...(place === null ? {} : { place }) } };
  }
  return null;
};

/** A member whose working folder was deleted under it. */
export const findDeletedFolder: Finder = ({ members, facts }) => {
  const homeless = members.find(({ row }) => facts.get(row.pid)?.cwdDeleted === true);
  if (homeless === undefined) return null;
  const { pid } = homeless.row;
  return { code: 'deleted-folder', figures: { pid, folder: facts.get(pid)?.cwd ?? '' } };
};

/** A living member with children that have ended and that only it can collect; the one with the most of them. */
export const findZombies: Finder = (subject) => {
  const { members, tree } = subject;
  const zombies = members.map(({ row }) => ({ row, count: tree.children(row.pid).filter(hasEnded).length }));
  const worst = zombies.toSorted((left, right) => right.count - left.count)[0];
  if (worst === undefined || worst.count === 0) return null;
  return {
    code: 'zombie-children',
    figures: { pid: worst.row.pid, count: worst.count, parent: nameOf(subject, worst.row.pid) },
  };
};
