import { say } from '../../../../app/text/say.ts';
import { readFileSync, readlinkSync } from 'node:fs';
import { type BootId, asBootId } from '../../../../app/process/identity.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';

/** Options that hide processes: https://docs.kernel.org/filesystems/proc.html#mount-options */
const hiding = /(^|,)(hidepid=(?!0|off)|subset=pid)/;

/**
 * Returns whether the last file system mounted at /proc hides processes, by the text of
 * /proc/self/mountinfo. A line: 24 31 0:22 / /proc rw,nosuid - proc proc rw,hidepid=invisible
 */
export const mountHidesProcesses = (mountinfo: string): boolean => {
  let hidden = false;
  for (const line of mountinfo.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    if (left.split(' ')[4] !== '/proc') continue;
    const [type, , options = ''] = right.split(' ');
    hidden = type === 'proc' && hiding.test(options);
  }
  return hidden;
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Containers may lack such files; the empty text tells the caller.
    return '';
  }
};

/** The machine's own user namespace maps every id to itself. */
const isWholeRange = (uidMap: string): boolean => /^\s*0\s+0\s+4294967295\s*$/.test(uidMap);

/** Returns whether /proc is mounted so that users don't see each other's processes. */
export const mountHidesOthers = (): boolean => {
  try {
    return mountHidesProcesses(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return true;
  }
};

/**
 * Returns whether this pid namespace may contain processes that are hidden from us. root of the
 * machine's own user namespace sees all of them whatever the mount says. True if it is unknown.
 */
export const processesMayBeHidden = (): boolean =>
  mountHidesOthers() && !(process.geteuid?.() === 0 && isWholeRange(textOf('/proc/self/uid_map')));

/** Returns the inode in a link such as `pid:[4026531836]`, or null. */
export const inodeOf = (link: string): string | null => /^\w+:\[(\d+)\]$/.exec(link)?.[1] ?? null;

/** Returns the inode of a process's pid namespace, `self`: our own; null when unreadable. */
export const pidNamespaceOf = (pid: number | 'self'): string | null => {
  try {
    return inodeOf(readlinkSync(`/proc/${pid}/ns/pid`));
  } catch {
    return null;
  }
};

/** Returns a process's namespace, to compare, `self`: our own; null when unreadable. */
export const pathOfNamespace = (pid: number | string, kind: 'net' | 'time'): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return null;
  }
};

const kernelBoot = (): string | null => {
  const id = textOf('/proc/sys/kernel/random/boot_id').trim();
  if (/^[\da-f-]{36}$/.test(id)) return id;
  // The second of the boot is unique enough on one machine.
  const bootTime = /^btime (\d+)$/m.exec(textOf('/proc/stat'))?.[1];
  return bootTime === undefined ? null : `btime-${bootTime}`;
};

/**
 * Returns the boot of this machine as our pid namespace sees it: the kernel's boot id and the inode
 * of the namespace, because containers share the boot id while their pids differ.
 * @throws ProcessTableUnreadable when the kernel reports neither
 */
export const readBootId = (): BootId => {
  const boot = kernelBoot();
  if (boot === null) throw new ProcessTableUnreadable(say('This machine does not identify its boots.'));
  return asBootId(`${boot}/${pidNamespaceOf('self') ?? 'unknown'}`);
};
