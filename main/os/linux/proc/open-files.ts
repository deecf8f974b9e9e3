import { type Stats, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import type { PipeEnd } from '../../../../app/diagnose/probe.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { type LinkTarget, linkTarget, maxOpenFiles } from '../../files/held-file.ts';
import { mayHoldFile } from '../../files/held-readers.ts';
import type { WrittenFile } from '../../processes/source.ts';
import { livingThreadOf } from './living-thread.ts';
import { refusalOf, unlessRefused } from './proc-reader.ts';

/**
 * Returns how a file was opened, from the octal `flags` of /proc/PID/fdinfo/FD, or null.
 * https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
 */
export const accessIn = (fdinfo: string): PipeEnd['access'] | null => {
  const flags = /^flags:\t0*([0-7]+)$/mu.exec(fdinfo)?.[1];
  if (flags === undefined) return null;
  const mode = Number.parseInt(flags, 8) % 4;
  return mode === 0 ? 'read' : mode === 1 ? 'write' : 'both';
};

/** O_CLOEXEC in the flags of /proc/PID/fdinfo/FD. */
const closedByExec = 0o2_000_000;

/** Returns whether a file closes on exec, from the text of /proc/PID/fdinfo/FD, or null. */
export const closesOnExecIn = (fdinfo: string): boolean | null => {
  const flags = /^flags:\t0*([0-7]+)$/mu.exec(fdinfo)?.[1];
  return flags === undefined ? null : (Number.parseInt(flags, 8) & closedByExec) !== 0;
};

/** What is listed of one process. Codex 0.169 writes to 11 files. */
const maxFiles = 16;

/** The link of a descriptor has the rights that the file was opened with. proc_pid_fd(5) */
const mayWrite = 0o200;
/** Files of many programs come and go there. */
const shared = 0o1000;

const kindOf = (file: Stats, link: Stats): WrittenFile['kind'] | null => {
  if (file.isDirectory()) return (file.mode & shared) === 0 ? 'folder' : null;
  return file.isFile() && (link.mode & mayWrite) !== 0 ? 'file' : null;
};

/**
 * Returns the files that a process has open for writing, and the folders that it has open, but none
 * that all users share; the standard descriptors left out. None where that can't be read.
 * @throws ProcessTableUnreadable
 */
export const writtenFilesOf = (pid: number): readonly WrittenFile[] => {
  const folder = `/proc/${pid}/fd`;
  const found = new Map<string, WrittenFile>();
  for (const fd of unlessRefused(folder, () => readdirSync(folder)) ?? []) {
    if (Number(fd) <= 2 || found.size >= maxFiles || mayHoldFile(pid, fd)) continue;
    const path = `${folder}/${fd}`;
    // It may be closed by now.
    unlessRefused(path, () => {
      const file = statSync(path);
      const kind = kindOf(file, lstatSync(path));
      const id = `${file.dev}:${file.ino}`;
      if (kind !== null) found.set(id, { path, id, kind });
    });
  }
  return [...found.values()];
};

/**
 * Reads a link of /proc; null when it is missing or may not be read.
 * @throws ProcessTableUnreadable
 */
export const readLink = (path: string): LinkTarget | null => unlessRefused(path, () => linkTarget(readlinkSync(path)));

const descriptors = (process: string): readonly number[] | null => {
  const folder = `${process}/fd`;
  const names = unlessRefused(folder, () => readdirSync(folder));
  return names?.map(Number).toSorted((a, b) => a - b) ?? null;
};

/**
 * Returns the open files of a process, at most `maxOpenFiles`, in the order of their numbers; null
 * if the process is gone or they may not be seen (only its user and root may). Never opens or stats
 * the files.
 * @throws ProcessTableUnreadable
 */
export const openFilesOf = (pid: number): readonly OpenFile[] | null => {
  let folder = `/proc/${pid}`;
  let numbers = descriptors(folder);
  if (numbers?.length === 0) {
    // A first thread that has ended shows none, while the others have them.
    folder = livingThreadOf(pid) ?? folder;
    numbers = descriptors(folder);
  }
  if (numbers === null) return null;
  const files: OpenFile[] = [];
  for (const number of numbers.slice(0, maxOpenFiles)) {
    const link = readLink(`${folder}/fd/${number}`);
    if (link !== null) files.push({ fd: number, ...link });
  }
  return files;
};

/**
 * Returns the targets of standard output and standard error, without closed ones; null if they may
 * not be seen or the process is gone.
 * @throws ProcessTableUnreadable
 */
export const outputsOf = (pid: number): readonly OpenFile[] | null => {
  const files: OpenFile[] = [];
  for (const fd of [1, 2]) {
    const path = `/proc/${pid}/fd/${fd}`;
    try {
      files.push({ fd, ...linkTarget(readlinkSync(path)) });
    } catch (error) {
      // A closed descriptor and an ended process look the same here; the caller checks for the
      // second.
      if (refusalOf(error, path) === 'denied') return null;
    }
  }
  return files;
};
