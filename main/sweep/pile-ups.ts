import { type SaidWithAdvice, sayHeap, sayLeftFiles } from '../../app/text/sweep.ts';
import { staleKinds } from '../../app/sweep/stale-file.ts';
import { entryId } from '../os/files/entry-id.ts';
import type { SweepPlan, Found } from './sweep.ts';
import { dirname } from 'node:path';

/** Files of one folder of which the same is to become for the same reason. */
export interface FolderOfFiles {
  /** Another file, or another state of one of these, has another. */
  readonly id: string;
  /** The folder. */
  readonly path: string;
  readonly first: Found;
  readonly files: readonly [Found, ...Found[]];
}

/** Groups files by folder, kind and reason, in the order of the first of each. */
export const foldersOf = (files: readonly Found[]): readonly FolderOfFiles[] => {
  const groups = new Map<string, [Found, ...Found[]]>();
  for (const one of files) {
    const { kind } = one.decision.candidate;
    // Only these come by the hundred; each other file is told of by its path.
    const place = kind === 'task-output' || kind === 'debug-log' ? dirname(one.file.path) : one.file.path;
    const key = `${kind} ${one.decision.reason} ${place}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups].map(([key, group]) => ({
    id: entryId('files', key, group.map(({ file }) => JSON.stringify([file.path, file.stamp])).toSorted()),
    path: dirname(group[0].file.path),
    first: group[0],
    files: group,
  }));
};

/** Returns the size of files, and how much of it is memory because they lie on a tmpfs. */
export const totalOf = (files: readonly Found[]): { readonly bytes: number; readonly bytesInMemory: number } => ({
  bytes: files.reduce((sum, { file }) => sum + file.bytes, 0),
  bytesInMemory: files.reduce((sum, { file, inMemory }) => sum + (inMemory ? file.bytes : 0), 0),
});

/**
 * Sizes from which on files are told of, bytes. What lies on a tmpfs is memory, so it is told of
 * earlier.
 */
const largeBytes = 250_000_000;
const largeBytesInMemory = 50_000_000;

/** Returns what piles up in files, in sentences with advice. */
export const leftFiles = (plan: SweepPlan): readonly SaidWithAdvice[] => [
  ...staleKinds.flatMap((kind) => {
    const files = plan.found.filter(({ decision }) => decision.candidate.kind === kind);
    const total = totalOf(files);
    if (total.bytes < largeBytes && total.bytesInMemory < largeBytesInMemory) return [];
    const removable = totalOf(files.filter(({ decision }) => decision.action === 'delete')).bytes;
    return [sayLeftFiles({ kind, files: files.length, ...total, removable })];
  }),
  ...plan.heaps
    .filter(({ bytes, may }) => bytes >= largeBytes && may === 'report')
    .map(({ agent, kind, path, bytes }) => sayHeap({ agent, kind, path, bytes })),
];
