import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { type ProcessRow, hasEnded } from '../../../../app/process/row.ts';
import { ProcReader, unlessRefused } from '../proc/proc-reader.ts';

/** Upper bound of one table of sockets in bytes: more than 100,000 lines. */
const tableBytes = 16_777_216;

/**
 * Returns the names of the sockets bound to a path, from the text of /proc/net/unix: number,
 * reference count, protocol, flags, type, state, inode, path (proc_pid_net(5)). Only the last part
 * of a path counts, because the path is as it was bound: relative, or as seen in another mount
 * namespace. Abstract names, which begin with `@`, are no files.
 */
export const boundNamesIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const path = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ +\d+ (.+)$/.exec(line)?.[1];
    return path === undefined || path.startsWith('@') ? [] : [basename(path)];
  });

/** Null where it may not be seen (no right to trace); its table is read all the same. */
const namespaceOf = (pid: number): string | null => {
  const link = `/proc/${pid}/ns/net`;
  return unlessRefused(link, () => readlinkSync(link));
};

/**
 * Returns the names of all sockets bound to a path, in every network namespace of a living process:
 * a sandbox has its own. Null when the table of a process of this user can't be read; other users'
 * sockets do not matter.
 * @throws ProcessTableUnreadable
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
    // The process has ended; another may still be in its namespace.
    if (text === null && (reader.refusal === 'gone' || row.uid !== uid)) continue;
    if (text === null || text.length >= tableBytes) return null;
    if (namespace !== null) seen.add(namespace);
    for (const name of boundNamesIn(text)) names.add(name);
  }
  return names;
};
