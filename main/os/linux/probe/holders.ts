import { readdirSync, readlinkSync } from 'node:fs';
import type { Holder, Holders } from '../../../../app/diagnose/probe.ts';
import { linkTarget } from '../../files/open-file.ts';
import { holdsLock } from '../facts/locks.ts';
import { accessIn } from '../proc/access.ts';
import { refusalOf, type ProcReader } from '../proc/proc-reader.ts';

/** At most this many open files of other processes are read in one search: about 0.1 s. */
const maxLinks = 50_000;

/** Returns the open descriptors of a process; null if they can't be seen, empty if it is gone. */
const numbersOf = (pid: number): readonly string[] | null => {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    return refusalOf(error, `/proc/${pid}/fd`) === 'gone' ? [] : null;
  }
};

const targetOf = (path: string): string | null => {
  try {
    return linkTarget(readlinkSync(path)).target;
  } catch (error) {
    refusalOf(error, path);
    return null;
  }
};

/**
 * Returns which of these processes have one of these files or pipes open. The only search over all
 * processes of the user, so it runs only for what a process is blocked on, and its caller caches
 * the result. Never opens the files.
 * @throws ProcessTableUnreadable
 */
export const searchHolders = (
  reader: ProcReader,
  pids: Iterable<number>,
  targets: ReadonlySet<string>,
): ReadonlyMap<string, Holders> => {
  const found = new Map<string, Holder[]>([...targets].map((target) => [target, []]));
  let links = 0;
  let complete = true;
  for (const pid of pids) {
    const numbers = links > maxLinks ? null : numbersOf(pid);
    if (numbers === null) {
      complete = false;
      continue;
    }
    for (const number of numbers) {
      if (++links > maxLinks) break;
      const target = targetOf(`/proc/${pid}/fd/${number}`);
      const holders = target === null ? undefined : found.get(target);
      if (holders === undefined) continue;
      const info = reader.readText(`/proc/${pid}/fdinfo/${number}`, 4_096) ?? '';
      // An unreadable end may be a writer.
      holders.push({ pid, access: accessIn(info) ?? 'both', locks: holdsLock(info) });
    }
  }
  return new Map([...found].map(([target, holders]) => [target, { holders, complete }]));
};
