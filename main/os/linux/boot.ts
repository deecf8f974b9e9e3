import { readFileSync, readlinkSync } from 'node:fs';
import type { BootId } from '../../../app/process/identity.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { ProcessTableUnreadable } from '../source.ts';

/** The inode in a link such as `pid:[4026531836]`; null when it is no such link. */
export const inodeOf = (link: string): string | null => /^\w+:\[(\d+)\]$/.exec(link)?.[1] ?? null;

/** The inode of the pid namespace of a process, `self` for our own; null when it can't be read. */
export const pidNamespaceOf = (pid: number | 'self'): string | null => {
  try {
    return inodeOf(readlinkSync(`/proc/${pid}/ns/pid`));
  } catch {
    return null;
  }
};

const kernelBoot = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Containers without /proc/sys. The second of the boot does for one machine.
    const bootTime = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
    if (bootTime === undefined) throw new Error('neither a boot id nor a boot time');
    return `btime-${bootTime}`;
  }
};

/**
 * The boot of this machine as our pid namespace sees it: the kernel's boot id and the inode of the namespace, because containers share the
 * former and their pids mean something else. Throws ProcessTableUnreadable when the kernel tells neither.
 */
export const readBootId = (): BootId => {
  try {
    return asBootId(`${kernelBoot()}/${pidNamespaceOf('self') ?? 'unknown'}`);
  } catch (error) {
    throw new ProcessTableUnreadable('This machine tells nothing by which its boots can be told apart.', {
      cause: error,
    });
  }
};
