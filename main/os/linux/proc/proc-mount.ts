import { readFileSync } from 'node:fs';

/**
 * Options of a proc mount that hide processes:
 * https://docs.kernel.org/filesystems/proc.html#mount-options
 */
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

/** The machine's own user namespace maps every id to itself. */
const isWholeRange = (uidMap: string): boolean => /^\s*0\s+0\s+4294967295\s*$/.test(uidMap);

/**
 * Returns whether this pid namespace may contain processes that are hidden from us. root of the
 * machine's own user namespace sees all of them whatever the mount says. True if it is unknown.
 */
export const processesMayBeHidden = (): boolean => {
  try {
    if (!mountHidesProcesses(readFileSync('/proc/self/mountinfo', 'utf8'))) return false;
    return !(process.geteuid?.() === 0 && isWholeRange(readFileSync('/proc/self/uid_map', 'utf8')));
  } catch {
    return true;
  }
};

/** Returns whether /proc is mounted so that users don't see each other's processes. */
export const mountHidesOthers = (): boolean => {
  try {
    return mountHidesProcesses(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return true;
  }
};
