import { readFileSync } from 'node:fs';

/** Options of a proc mount that hide processes: https://docs.kernel.org/filesystems/proc.html#mount-options */
const hiding = /(^|,)(hidepid=(?!0|off)|subset=pid)/;

/**
 * True when the text of /proc/self/mountinfo says that the last file system mounted at /proc hides processes. A line: 24 31 0:22 / /proc
 * rw,nosuid - proc proc rw,hidepid=invisible
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

/** A user namespace that is the machine's own maps every id to itself. */
const isWholeRange = (uidMap: string): boolean => /^\s*0\s+0\s+4294967295\s*$/.test(uidMap);

/**
 * True when processes may exist in this pid namespace that we are not shown. root of the machine's own user namespace is shown
 * everything whatever the mount says. When the question can't be answered, the answer is that they may.
 */
export const processesMayBeHidden = (): boolean => {
  try {
    if (!mountHidesProcesses(readFileSync('/proc/self/mountinfo', 'utf8'))) return false;
    return !(process.geteuid?.() === 0 && isWholeRange(readFileSync('/proc/self/uid_map', 'utf8')));
  } catch {
    return true;
  }
};
