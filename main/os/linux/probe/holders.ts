import { readdirSync, readlinkSync } from 'node:fs';
import type { Holder, Holders, PipeEnd } from '../../../../app/diagnose/probe.ts';
import { linkTarget } from '../../files/open-file.ts';
import { holdsLock } from '../facts/locks.ts';
import { refusalOf, type ProcReader } from '../proc/proc-reader.ts';

/** So many open files of other processes are looked at in one search: about a tenth of a second. */
const maxLinks = 50_000;

/** How a file was opened, out of the octal `flags` of /proc/PID/fdinfo/FD; null when they aren't there. https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html */
export const accessIn = (fdinfo: string): PipeEnd['access'] | null => {
  const flags = /^flags:\t0*([0-7]+)$/mu.exec(fdinfo)?.[1];
  if (flags === undefined) return null;
  const mode = Number.parseInt(flags, 8) % 4;
  return mode === 0 ? 'read' : mode === 1 ? 'write' : 'both';
};

/** The open files of a process as numbers; null when they may not be seen, empty when it has gone. */
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
 * Who of these processes has one of these files or pipes open. The one search here that goes over all processes of the user, so it is asked
 * only for what somebody stands still at, and its answer is kept for a while by the caller. Files are never opened for it.
 * Throws ProcessTableUnreadable.
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
      // What can't be read may be the end that writes.
      holders.push({ pid, access: accessIn(info) ?? 'both', locks: holdsLock(info) });
    }
  }
  return new Map([...found].map(([target, holders]) => [target, { holders, complete }]));
};
