import { readdirSync, readlinkSync } from 'node:fs';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { type LinkTarget, linkTarget, maxOpenFiles } from '../../files/open-file.ts';
import { livingThreadOf } from './living-thread.ts';
import { refusalOf } from './proc-reader.ts';

/**
 * Reads a link of /proc; null when it is missing or may not be read.
 * @throws ProcessTableUnreadable
 */
export const readLink = (path: string): LinkTarget | null => {
  try {
    return linkTarget(readlinkSync(path));
  } catch (error) {
    refusalOf(error, path);
    return null;
  }
};

const descriptors = (process: string): readonly number[] | null => {
  const folder = `${process}/fd`;
  try {
    return readdirSync(folder)
      .map(Number)
      .toSorted((a, b) => a - b);
  } catch (error) {
    refusalOf(error, folder);
    return null;
  }
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
