import type { Stats } from 'node:fs';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';

/** A folder that can't be exchanged any more: what is done in it is done in this one, wherever its path leads by then. */
export interface HeldFolder {
  /** A path for a name in it, good as long as it is held. The name may not have a slash in it. */
  readonly at: (name: string) => string;
  /** What is in it now. Throws the file system's error. */
  readonly names: () => readonly string[];
  readonly close: () => void;
}

/** A folder held, or why not, in words. */
export type FolderHold =
  | { readonly ok: true; readonly folder: HeldFolder }
  | { readonly ok: false; readonly why: string };

/** O_PATH of include/uapi/asm-generic/fcntl.h: a descriptor that only names a place, for which no right to read is needed. Node has no name for it. */
const pathOnly = 0o10_000_000;

const nameOf = (name: string): string => {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    throw new Error(`${JSON.stringify(name)} is no name of a file`);
  return name;
};

/** Whose folder it may be: of this user, or one of the system in which nobody can take away what is another's (/tmp). */
const belongs = ({ uid: owner, mode }: Stats, uid: number): boolean =>
  owner === uid || (owner === 0 && (mode & 0o1000) !== 0);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

const whyNot = (path: string, error: unknown): string => {
  if (codeOf(error) === null || !(error instanceof Error)) throw error;
  if (codeOf(error) === 'ENOENT') return `${path} is not there`;
  if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENOTDIR') return `${path} is a link or no folder`;
  return `${path}: ${error.message}`;
};

/** Step by step from the root, each relative to the one before (path_resolution(7)): like openat(2), which Node lacks. */
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
    return { ok: false, why: `${path} belongs to another user` };
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

/** Where descriptors can't be walked from, every part of the path is looked at: against links, not against an exchange at the same moment. */
const holdByPath = (path: string, uid: number): FolderHold => {
  const parts = path.split('/').filter((one) => one !== '');
  try {
    for (let count = 1; count <= parts.length; count += 1) {
      const part = `/${parts.slice(0, count).join('/')}`;
      const status = lstatSync(part);
      if (!status.isDirectory()) return { ok: false, why: `${part} is a link or no folder` };
      if (count === parts.length && !belongs(status, uid)) return { ok: false, why: `${path} belongs to another user` };
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
 * Takes hold of a folder without following a link anywhere on the way to it.
 * @param path absolute
 * @param uid whose it has to be; a sticky folder of the system is anybody's
 */
export const holdFolder = (path: string, uid: number): FolderHold => {
  if (!isAbsolute(path) || normalize(path) !== path) return { ok: false, why: `${path} is no plain path` };
  return process.platform === 'linux' ? holdByDescriptor(path, uid) : holdByPath(path, uid);
};
