import { readFileSync } from 'node:fs';

const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/**
 * Returns the folders at which something is mounted, by the text of /proc/self/mountinfo
 * (proc_pid_mountinfo(5)): also binds of a folder of the same file system, which have its device.
 */
const mountPointsIn = (mountinfo: string): ReadonlySet<string> =>
  new Set(mountinfo.split('\n').flatMap((line) => (line === '' ? [] : [unescaped(line.split(' ')[4] ?? '')])));

/** Returns the mount points of this machine; null: unknown. None on a system without /proc. */
export const mountPoints = (): ReadonlySet<string> | null => {
  if (process.platform !== 'linux') return new Set();
  try {
    return mountPointsIn(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return null;
  }
};
