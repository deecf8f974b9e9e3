import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import type { WrittenFile } from '../../processes/source.ts';
import { refusalOf } from './proc-reader.ts';

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
  const attempt = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      refusalOf(error, folder);
    }
  };
  attempt(() => {
    for (const fd of readdirSync(folder)) {
      if (Number(fd) <= 2 || found.size >= maxFiles) continue;
      const path = `${folder}/${fd}`;
      // It may be closed by now.
      attempt(() => {
        const file = statSync(path);
        const kind = kindOf(file, lstatSync(path));
        const id = `${file.dev}:${file.ino}`;
        if (kind !== null) found.set(id, { path, id, kind });
      });
    }
  });
  return [...found.values()];
};
