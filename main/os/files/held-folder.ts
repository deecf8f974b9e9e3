import { codeOf } from '../../../app/format/error-message.ts';
import type { SaidByKey } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { type Stats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';

/** An open folder that can't be swapped: operations reach it, wherever its path leads later. */
export interface HeldFolder {
  /** Returns a path for a name in it, valid while it is held. The name must not contain a slash. */
  readonly at: (name: string) => string;
  /**
   * Returns its names now.
   * @throws the file system's error
   */
  readonly names: () => readonly string[];
  readonly close: () => void;
}

/** A held folder, or why it could not be held, in words. */
export type FolderHold =
  | { readonly ok: true; readonly folder: HeldFolder }
  | { readonly ok: false; readonly why: SaidByKey };

/** O_PATH (fcntl.h), which Node lacks: a descriptor that only names a place; no right to read. */
const pathOnly = 0o10_000_000;

const nameOf = (name: string): string => {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    throw new Error(`${JSON.stringify(name)} is no name of a file`);
  return name;
};

/**
 * Returns whether the folder may be used: it belongs to this user, or it is a sticky system folder
 * (/tmp), in which users can't remove files of others.
 */
const belongs = ({ uid: owner, mode }: Stats, uid: number): boolean =>
  owner === uid || (owner === 0 && (mode & 0o1000) !== 0);

/** Why a folder could not be held that does not exist. */
export const absentForm = '{path} is not there';

const whyNot = (path: string, error: unknown): SaidByKey => {
  if (codeOf(error) === null || !(error instanceof Error)) throw error;
  if (codeOf(error) === 'ENOENT') return say(absentForm, { path });
  if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENOTDIR') return say('{path} is a link or no folder', { path });
  return say('{path}: {why}', { path, why: error.message });
};

/** Walks from the root, each step from the one before, like openat(2): path_resolution(7). */
const walk = (path: string): number => {
  const flags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd = openSync('/', flags);
  for (const step of path.split('/').filter((one) => one !== '')) {
    try {
      const next = openSync(`/proc/self/fd/${fd}/${step}`, flags);
      closeSync(fd);
      fd = next;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
  return fd;
};

const holdByDescriptor = (path: string, uid: number): FolderHold => {
  let fd: number;
  try {
    fd = walk(path);
  } catch (error) {
    return { ok: false, why: whyNot(path, error) };
  }
  if (!belongs(fstatSync(fd), uid)) {
    closeSync(fd);
    return { ok: false, why: say('{path} belongs to another user', { path }) };
  }
  const place = `/proc/self/fd/${fd}`;
  return {
    ok: true,
    folder: {
      at: (name) => `${place}/${nameOf(name)}`,
      names: () => readdirSync(place),
      close: () => closeSync(fd),
    },
  };
};

/** Without descriptors to walk from, checks each part of the path: against links, not swaps. */
const holdByPath = (path: string, uid: number): FolderHold => {
  const parts = path.split('/').filter((one) => one !== '');
  try {
    for (let count = 1; count <= parts.length; count += 1) {
      const part = `/${parts.slice(0, count).join('/')}`;
      const status = lstatSync(part);
      if (!status.isDirectory()) return { ok: false, why: say('{path} is a link or no folder', { path: part }) };
      if (count === parts.length && !belongs(status, uid))
        return { ok: false, why: say('{path} belongs to another user', { path }) };
    }
  } catch (error) {
    return { ok: false, why: whyNot(path, error) };
  }
  return {
    ok: true,
    folder: { at: (name) => join(path, nameOf(name)), names: () => readdirSync(path), close: () => undefined },
  };
};

/**
 * Opens a folder without following a link anywhere on the path.
 * @param path absolute
 * @param uid its required owner; sticky system folders are allowed for all users
 */
export const holdFolder = (path: string, uid: number): FolderHold => {
  if (!isAbsolute(path) || normalize(path) !== path)
    return { ok: false, why: say('{path} is no plain path', { path }) };
  return process.platform === 'linux' ? holdByDescriptor(path, uid) : holdByPath(path, uid);
};
