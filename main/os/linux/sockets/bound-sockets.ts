import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { hasEnded } from '../../../../app/process/row.ts';
import { ProcReader, refusalOf } from '../proc/proc-reader.ts';

/** Bound of one table of sockets, in bytes: more than 100,000 lines. */
const tableBytes = 16_777_216;

/**
 * Names of the sockets that are bound to a path, in the text of /proc/net/unix: number, reference count, protocol, flags, type, state,
 * inode, path (proc_pid_net(5)). Only the last part of a path counts, because it stands there as it was bound: relative, or as another
 * mount namespace has it. Names of the abstract kind, which begin with `@`, lead to no file.
 */
export const boundNamesIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const path = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ +\d+ (.+)$/.exec(line)?.[1];
    return path === undefined || path.startsWith('@') ? [] : [basename(path)];
  });

/** Null where it may not be seen, as of processes that can't be traced: then its table is read all the same. */
const namespaceOf = (pid: number): string | null => {
  const link = `/proc/${pid}/ns/net`;
  try {
    return readlinkSync(link);
  } catch (error) {
    refusalOf(error, link);
    return null;
  }
};

/**
 * The names of all sockets that somebody has bound to a path, in every network namespace in which a process lives: a sandbox has one of
 * its own. null when the table of a process of this user can't be read; others' sockets belong to others. Throws ProcessTableUnreadable.
 */
export const boundSocketNames = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<string> | null => {
  const reader = new ProcReader();
  const seen = new Set<string>();
  const names = new Set<string>();
  for (const row of rows) {
    if (row.kernelThread || hasEnded(row)) continue;
    const namespace = namespaceOf(row.pid);
    if (namespace !== null && seen.has(namespace)) continue;
    const text = reader.readText(`/proc/${row.pid}/net/unix`, tableBytes);
    // It ended meanwhile; somebody else may still be in its namespace.
    if (text === null && (reader.refusal === 'gone' || row.uid !== uid)) continue;
    if (text === null || text.length >= tableBytes) return null;
    if (namespace !== null) seen.add(namespace);
    for (const name of boundNamesIn(text)) names.add(name);
  }
  return names;
};
