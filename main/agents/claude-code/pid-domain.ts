import { readFileSync } from 'node:fs';
import type { RegistryMachine } from '../common/session-registry.ts';

const machineIdHere = (): string => {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return '';
  }
};

/**
 * The machine and pid namespace in which pids of a process table mean something, as Claude Code
 * writes it: `linux:<machine id>:pid:[<inode>]`, an empty machine id where there is none, and plain
 * `linux` on macOS (read in 2.1.329). The inode of the first namespace is the same on every Linux
 * machine, so a home folder shared between machines needs the machine id as well. null: unknown.
 */
export const pidDomainOf = ({
  platform,
  machineId,
  pidNamespace,
}: Pick<RegistryMachine, 'platform' | 'machineId' | 'pidNamespace'>): string | null => {
  if (platform === 'darwin') return 'linux';
  const inode = platform === 'linux' && pidNamespace !== null ? /\d+/.exec(pidNamespace)?.[0] : undefined;
  if (inode === undefined) return null;
  return `linux:${machineId ?? machineIdHere()}:pid:[${inode}]`;
};
