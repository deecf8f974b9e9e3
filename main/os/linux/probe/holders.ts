import { readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Holder, Holders } from '../../../../app/diagnose/probe.ts';
import { linkTarget } from '../../files/open-file.ts';
import { holdsLock } from '../facts/locks.ts';
import { accessIn } from '../proc/access.ts';
import { heldBy } from '../proc/living-thread.ts';
import { refusalOf, type ProcReader } from '../proc/proc-reader.ts';

/** At most this many open files of other processes are read in one search: about 0.1 s. */
const maxLinks = 50_000;

/** Device and inode, as text; null where there is no such file, or it can't be asked. */
const identityAt = (path: string): { readonly ino: string; readonly whole: string } | null => {
  try {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? null : { ino: String(status.ino), whole: `${status.dev} ${status.ino}` };
  } catch (error) {
    refusalOf(error, path);
    return null;
  }
};

/** The inode in the text of a descriptor's fdinfo (Linux 5.14); null where it isn't told. */
const inodeIn = (info: string): string | null => /^ino:\s*(\d+)$/mu.exec(info)?.[1] ?? null;

/**
 * Whether a descriptor is one of these files under another path: through a link, a bind mount, a
 * second name. The file itself is only asked where its inode or its name agrees: one on a mount
 * that does not answer would hold up the look.
 */
const sameFile = (
  link: string,
  target: string,
  info: string,
  files: ReadonlyMap<string, { readonly ino: string; readonly whole: string }>,
): string | null => {
  const ino = inodeIn(info);
  for (const [path, file] of files) {
    if (ino === null ? basename(target) !== basename(path) : ino !== file.ino) continue;
    const found = identityAt(link);
    // What can't be asked may be it.
    if (found === null || found.whole === file.whole) return path;
  }
  return null;
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
 * Returns which of these processes have one of these files or pipes open: files by device and
 * inode, whatever path leads to them. The only search over all processes of the user, so it runs
 * only for what a process is blocked on, and its caller caches the result. Never opens the files.
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
  const files = new Map(
    [...targets].flatMap((target) => {
      const file = target.startsWith('/') ? identityAt(target) : null;
      return file === null ? [] : [[target, file] as const];
    }),
  );
  for (const pid of pids) {
    const open = links > maxLinks ? null : heldBy(pid);
    if (open === null) {
      complete = false;
      continue;
    }
    for (const number of open.names) {
      if (++links > maxLinks) {
        complete = false;
        break;
      }
      const link = `${open.folder}/fd/${number}`;
      const target = targetOf(link);
      if (target === null) continue;
      const isFile = files.size > 0 && target.startsWith('/');
      if (!isFile && !found.has(target)) continue;
      const info = reader.readText(`${open.folder}/fdinfo/${number}`, 4_096) ?? '';
      const path = found.has(target) ? target : sameFile(link, target, info, files);
      const holders = path === null ? undefined : found.get(path);
      if (holders === undefined) continue;
      // An unreadable end may be a writer.
      holders.push({ pid, access: accessIn(info) ?? 'both', locks: holdsLock(info) });
    }
  }
  return new Map([...found].map(([target, holders]) => [target, { holders, complete }]));
};
