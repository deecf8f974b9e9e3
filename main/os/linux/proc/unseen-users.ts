import { readFileSync } from 'node:fs';

/** The first pid namespace's inode on every Linux: PROC_PID_INIT_INO, linux/proc_ns.h. */
const firstPidNamespace = '4026531836';

const decoded = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));

/**
 * Returns whether a folder lies on a mount that is private to this mount namespace, by the text of
 * /proc/self/mountinfo (proc_pid_mountinfo(5): id, parent, device, root, mount point, options,
 * optional fields, `-`, type, …): a temporary file system without a peer or a master.
 */
export const isOwnTemporaryMount = (mountinfo: string, folder: string): boolean => {
  let covering = { point: '', own: false };
  for (const line of mountinfo.split('\n')) {
    const fields = line.split(' ');
    const separator = fields.indexOf('-', 6);
    if (separator === -1) continue;
    const point = decoded(fields[4] ?? '');
    const covers = point === '/' || folder === point || folder.startsWith(`${point}/`);
    // Of two mounts on one point, the later covers the other.
    if (!covers || point.length < covering.point.length) continue;
    const own = point !== '/' && separator === 6 && fields[3] === '/' && fields[separator + 1] === 'tmpfs';
    covering = { point, own };
  }
  return covering.own;
};

/**
 * Returns whether processes that can't be seen from here may use a folder: in a container or
 * sandbox with its own pids, unless the folder is private too. The first pid namespace sees all
 * processes.
 * @param pidNamespace our own, from `ProcessSource`
 */
export const hasUnseenUsers = (folder: string, pidNamespace: string | null): boolean => {
  if (pidNamespace === firstPidNamespace) return false;
  try {
    return !isOwnTemporaryMount(readFileSync('/proc/self/mountinfo', 'utf8'), folder);
  } catch {
    // What can't be read counts as shared.
    return true;
  }
};
