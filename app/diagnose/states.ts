import { hasEnded, type ProcessRow } from '../process/row.ts';
import { type Finder, type Subject, nameOf, probeOf, standstillSeconds } from './subject.ts';
import { waitedSeconds } from './waits.ts';
import { maxFollowed, type Watch } from './watch.ts';

/** A member that was stopped, by a signal or for touching a terminal from the background. */
export const findStopped: Finder = (subject, watch) => {
  const stopped = subject.members.find(({ row }) => row.state === 'T')?.row;
  if (stopped === undefined) return null;
  const seconds = waitedSeconds(subject, watch, stopped);
  return {
    code: 'stopped',
    figures: { pid: stopped.pid, ...(seconds === null || seconds === 0 ? {} : { seconds }) },
  };
};

/** A parent waits in this state for a vfork child to become another program; that is no disk. */
const forks = /vfork|clone|fork/u;

/** A member that waited uninterruptibly, without running, longer than a busy disk takes. */
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

const zombiesOf = ({ tree }: Subject, parent: ProcessRow): readonly ProcessRow[] =>
  tree.children(parent.pid).filter(hasEnded);

const zombieKey = ({ pid, startTicks }: ProcessRow): string => `${pid}:${startTicks}`;

/** What is remembered of children that have ended after this look. */
export const advanceZombies = (subject: Subject, before: Watch['zombies']): Watch['zombies'] =>
  Object.fromEntries(
    subject.members
      .flatMap(({ row }) => zombiesOf(subject, row))
      .slice(0, maxFollowed)
      .map((zombie) => [zombieKey(zombie), before[zombieKey(zombie)] ?? subject.table.nowTicks]),
  );

/**
 * A living member with children that have ended and that only it can collect; the one with the most
 * of them. Every child is such a one for a moment, so only those count that were there at an
 * earlier look.
 */
export const findZombies: Finder = (subject, { zombies }) => {
  const left = (zombie: ProcessRow): boolean => (zombies[zombieKey(zombie)] ?? Infinity) < subject.table.nowTicks;
  const worst = subject.members
    .map(({ row }) => ({ row, ended: zombiesOf(subject, row) }))
    .filter(({ ended }) => ended.some(left))
    .toSorted((first, second) => second.ended.length - first.ended.length)[0];
  if (worst === undefined) return null;
  return {
    code: 'zombie-children',
    figures: { pid: worst.row.pid, count: worst.ended.length, parent: nameOf(subject, worst.row.pid) },
  };
};
