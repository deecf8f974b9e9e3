import { lstatSync, readFileSync, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { posix } from 'node:path';

/** A folder per FUSE file system, by device: https://docs.kernel.org/filesystems/fuse.html */
const connections = '/sys/fs/fuse/connections';
/** FUSE_CTL_SUPER_MAGIC of linux/magic.h. */
const connectionsMagic = 0x65_73_55_43;
/** What was seen so is believed this long, ms: a process needs longer to mount and to use one. */
const freshMs = 1;
/** Bits of a minor number in the kernel's own numbers of devices: linux/kdev_t.h. */
const minors = 2 ** 20;

interface Mounts {
  readonly ids: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
}

/** The mounts in a text of /proc/PID/mountinfo (proc_pid_mountinfo(5)): ids, and devices. */
const mountsIn = (mountinfo: string): Mounts => {
  const fields = mountinfo.split('\n').map((line) => line.split(' '));
  return {
    ids: new Set(fields.map(([id = '']) => id)),
    devices: new Set(
      fields.map(([, , device = '']) => {
        const [major, minor] = device.split(':').map(Number);
        return String((major ?? 0) * minors + (minor ?? 0));
      }),
    ),
  };
};

const ownMounts = (): Mounts => mountsIn(readFileSync('/proc/self/mountinfo', 'utf8'));

/** Whether some file system of FUSE may be mounted where this process does not see it. */
const mountedElsewhere = (): boolean => {
  try {
    if (statfsSync(connections).type !== connectionsMagic) return true;
    const all = readdirSync(connections);
    if (all.length === 0) return false;
    const { devices } = ownMounts();
    return all.some((device) => !devices.has(device));
  } catch {
    // Not mounted, or not shown: it can't be told.
    return true;
  }
};

/** The process that was asked last: several of its files are read one after the other. */
let asked: { readonly pid: number; readonly atMs: number; readonly mounts: string | null } = {
  pid: 0,
  atMs: 0,
  mounts: null,
};

interface Seen {
  readonly atMs: number;
  readonly elsewhere: boolean;
  mounts?: Mounts;
}

let seen: Seen = { atMs: Number.NEGATIVE_INFINITY, elsewhere: true };
const mayBeElsewhere = (nowMs: number): boolean => {
  if (nowMs - seen.atMs > freshMs) seen = { atMs: nowMs, elsewhere: mountedElsewhere() };
  return seen.elsewhere;
};

let own: { readonly mounts: string; readonly users: string } | null = null;

/**
 * Returns the mount namespace of a process if another one than this process's, as text; null: it
 * is the same, or has ended. What forbids to look into it (prctl(2), PR_SET_DUMPABLE) is told by
 * the users of its user namespace: only in another one could it mount.
 */
const elsewhere = (pid: number): string | null => {
  try {
    own ??= { mounts: readlinkSync('/proc/self/ns/mnt'), users: readFileSync('/proc/self/uid_map', 'latin1') };
    try {
      const mounts = readlinkSync(`/proc/${pid}/ns/mnt`);
      return mounts === own.mounts ? null : mounts;
    } catch {
      return readFileSync(`/proc/${pid}/uid_map`, 'latin1') === own.users ? null : 'hidden';
    }
  } catch {
    // It has ended, or this is no Linux.
    return null;
  }
};

/**
 * Returns the mount namespace of a process that can let its readers wait for ever, null: of none.
 * A sandbox may mount FUSE in a mount namespace of its own, and need not answer: then a page fault
 * holds the memory of a process for each that reads it, and an open file each that looks at it.
 * What runs outside of sandboxes could signal the user's processes itself, so it is not asked.
 */
export const heldIn = (pid: number): string | null => {
  const nowMs = performance.now();
  if (!mayBeElsewhere(nowMs)) return null;
  if (asked.pid !== pid || nowMs - asked.atMs > freshMs) asked = { pid, atMs: nowMs, mounts: elsewhere(pid) };
  return asked.mounts;
};

/**
 * Returns whether an open file of a process can let what looks at it wait for ever, see `heldIn`:
 * not one that was opened in a mount of this process's own, as what a command outside inherits.
 */
export const mayHoldFile = (pid: number, fd: number | string): boolean => {
  if (heldIn(pid) === null) return false;
  try {
    const [, id = ''] = /^mnt_id:\t(\d+)$/mu.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1')) ?? [];
    return !(seen.mounts ??= ownMounts()).ids.has(id);
  } catch {
    return true;
  }
};

/** Where links lead, as long as a look takes, ms: each file of a folder asks for those above it. */
let links = { atMs: 0, of: new Map<string, string | null>() };
const linksMs = 50;
const maxLinks = 40;

const linkAt = (path: string, nowMs: number): string | null => {
  if (nowMs - links.atMs > linksMs) links = { atMs: nowMs, of: new Map() };
  const known = links.of.get(path);
  if (known !== undefined) return known;
  let link: string | null = null;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) link = readlinkSync(path);
  } catch {
    // It may not be looked at, so neither may what is below it.
  }
  links.of.set(path, link);
  return link;
};

/**
 * Returns whether a path leads below /proc, where `root` and `cwd` of a process are what it has
 * mounted for itself, by a link too: each step is looked at as the kernel would take it, but there.
 */
export const leadsBelowProc = (path: string): boolean => {
  if (posix.normalize(path).startsWith('/proc/')) return true;
  const nowMs = performance.now();
  if (!path.startsWith('/') || !mayBeElsewhere(nowMs)) return false;
  const steps = path.split('/').toReversed();
  let at = '/';
  for (let followed = 0; steps.length > 0;) {
    const step = steps.pop() ?? '';
    const next = posix.join(at, step);
    if (next.startsWith('/proc/')) return true;
    const link = step === '' || step === '.' || step === '..' ? null : linkAt(next, nowMs);
    if (link === null) at = next;
    else if (++followed > maxLinks) return true;
    else {
      steps.push(...link.split('/').toReversed());
      if (link.startsWith('/')) at = '/';
    }
  }
  return false;
};
