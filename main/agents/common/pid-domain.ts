import { readFileSync } from 'node:fs';

/** The form of Claude Code for a pid namespace of a Linux machine. */
export const linuxPidDomain = (machineId: string, inode: string): string => `linux:${machineId}:pid:[${inode}]`;

/**
 * The machine and pid namespace in which our pids mean something, as Claude Code writes it: `linux:<machine id>:pid:[<inode>]`, an
 * empty machine id where there is none, and plain `linux` on macOS (read in 2.1.329). The inode of the first namespace is the same on
 * every Linux machine, so a home folder shared between machines needs the machine id as well. null: unknown.
 */
export const ownPidDomain = (platform: NodeJS.Platform, pidNamespace: string | null): string | null => {
  if (platform === 'darwin') return 'linux';
  if (platform !== 'linux' || pidNamespace === null) return null;
  let machine = '';
  try {
    machine = readFileSync('/etc/machine-id', 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  const inode = /\d+/.exec(pidNamespace)?.[0];
  return inode === undefined ? null : linuxPidDomain(machine, inode);
};
