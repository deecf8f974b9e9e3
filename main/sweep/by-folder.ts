import { dirname } from 'node:path';
import type { Found } from './sweep.ts';

/** Files of one folder of which the same is to become for the same reason. */
export interface FolderOfFiles {
  /** The folder. */
  readonly path: string;
  readonly first: Found;
  readonly files: readonly Found[];
}

/** Groups files by folder, kind and reason, in the order of the first of each. */
export const foldersOf = (files: readonly Found[]): readonly FolderOfFiles[] => {
  const groups = new Map<string, [Found, ...Found[]]>();
  for (const one of files) {
    const { kind } = one.decision.candidate;
    // Only outputs come by the hundred; each other file is told of by its path.
    const place = kind === 'task-output' ? dirname(one.file.path) : one.file.path;
    const key = `${kind} ${one.decision.reason} ${place}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => ({ path: dirname(group[0].file.path), first: group[0], files: group }));
};

/** Returns the size of files, and how much of it is memory because they lie on a tmpfs. */
export const totalOf = (files: readonly Found[]): { readonly bytes: number; readonly bytesInMemory: number } => ({
  bytes: files.reduce((sum, { file }) => sum + file.bytes, 0),
  bytesInMemory: files.reduce((sum, { file, inMemory }) => sum + (inMemory ? file.bytes : 0), 0),
});
