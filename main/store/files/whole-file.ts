import { blockFor } from '../../os/processes/block-for.ts';
import { codeOf } from '../../../app/format/error-message.ts';
import { SaidError, say } from '../../../app/text/say.ts';
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { wayTo } from '../../os/files/owned-place.ts';
import { refuseOtherThanFile } from '../../os/files/own-file.ts';
import { syncFolder } from '../database/set-aside.ts';
import { system } from '../../os/this-system.ts';

/**
 * Returns whether a path leads through a link of another user, or by a link to a place of another
 * user: either could lead the next write elsewhere. Root's links and places are no others'. What is
 * not there yet belongs to no other user. Windows knows no such owner.
 * @throws the file system's error
 */
export const leadsToAnotherUser = (path: string): boolean => {
  const self = process.geteuid?.();
  if (self === undefined) return false;
  const way = [...wayTo(path)];
  if (!way.some(({ isLink }) => isLink)) return false;
  // What is not there yet belongs to the folder.
  const end = way.slice(existsSync(path) ? -2 : -1);
  return [...way.filter(({ isLink }) => isLink), ...end].some(({ owner }) => owner !== self && owner !== 0);
};

/** What Windows says while another program has the file open, as a reader has for a moment. */
const isOpenElsewhere: ReadonlySet<string | null> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** True if Windows refused to rename or remove a file because another program has it open. */
export const isHeldOpen = (error: unknown, platform: NodeJS.Platform = system): boolean =>
  platform === 'win32' && isOpenElsewhere.has(codeOf(error));

/** Tries and the pause between two in ms: one second in all. */
const tries = 50;
const pauseMs = 20;

/**
 * Renames a file over another. On Windows that is refused while any program has the other open, so
 * it is tried again for a second.
 * @throws the file system's error
 */
export const renameOver = (
  from: string,
  to: string,
  platform: NodeJS.Platform = system,
  rename: (from: string, to: string) => void = renameSync,
): void => {
  for (let left = tries; ; left -= 1) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (left <= 0 || !isHeldOpen(error, platform)) throw error;
      blockFor(pauseMs);
    }
  }
};

/**
 * Returns a name of our own: `wx` refuses a taken one, and two Curfews of a home in two containers
 * may have the same pid. Not from node:crypto, which takes 3 MB of memory in a supervisor; the name
 * needs no secrecy.
 */
const nameBeside = (path: string): string => `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;

const target = (path: string, isLinkable: boolean): string => {
  try {
    if (!isLinkable) {
      refuseOtherThanFile(path);
      return path;
    }
    const real = realpathSync(path);
    refuseOtherThanFile(real);
    if (leadsToAnotherUser(path))
      throw new SaidError(
        say('{path} was not written: it is a link to {real}, in a place of another user; remove the link', {
          path,
          real,
        }),
      );
    return real;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path;
    throw error;
  }
};

/**
 * Writes a file atomically: beside it, synced to disk, then renamed into place. Readable for the
 * user only (0600). What is no regular file stays. A link is followed where the file is one that
 * users keep elsewhere (dotfiles), unless it leads to a place of another user.
 * Not write-file-atomic (7.0.1): it takes the first write's count for the whole, so that on a disk
 * that fills up midway a part of the file replaces all of it. Node's own writes until everything is
 * written, or throws.
 * @param linkable 'linkable': users keep it elsewhere
 * @throws the file system's error, NoRegularFile; then the file is as it was
 */
export const writeWholeFile = (path: string, text: string, linkable?: 'linkable'): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const real = target(path, linkable !== undefined);
  const beside = nameBeside(real);
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    renameOver(beside, real);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(real));
};
