import { readlinkSync } from 'node:fs';
import type { ProcessTable } from '../../../app/process/table.ts';
import { LinuxSource } from '../../../main/os/linux/source.ts';

const source = new LinuxSource({ environmentNames: [], uid: process.getuid?.() ?? 0 });

const namespaceOf = (pid: number | 'self'): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
};

/**
 * Returns the processes of this pid namespace, without those of scenes that run beside: what git of
 * theirs is at work in can't always be told.
 */
export const ownTable = (): ProcessTable => {
  const table = source.scan(new Set());
  const own = namespaceOf('self');
  return { ...table, rows: new Map([...table.rows].filter(([pid]) => namespaceOf(pid) === own)) };
};
