import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { messageOf } from '../../../app/format/error-message.ts';
import { controlGroupAt, tryWrite, unifiedFolder } from './control-group.ts';

/** What the child of one user and all that it starts may take, by file of the control group. */
const limits: Readonly<Record<string, string>> = {
  // The child's JavaScript heap is bounded by 512 MB; Node itself takes 60.
  'memory.max': String(768 * 1024 * 1024),
  // A child has 11 threads. ssh and what it starts for a user's hosts come besides.
  'pids.max': '128',
  // Who runs out of memory loses all of it at once, and no other user anything.
  'memory.oom.group': '1',
};

/** Controllers that are shared out. */
const wanted = ['cpu', 'memory', 'pids'] as const;
type Controller = (typeof wanted)[number];

/** What each of them bounds for every user. */
const bounds: Readonly<Record<Controller, string>> = {
  cpu: 'an equal share of the processor',
  memory: '768 MB of memory',
  pids: '128 threads',
};

/** A control group for each user below the service's own, of version 2. */
export interface UserGroups {
  /** Controllers that the kernel did not hand on: their limits are not in force. */
  readonly missing: readonly Controller[];
  /** Returns the path of a user's group, empty; null if it can't be made. */
  readonly make: (uid: number) => string | null;
  /** Kills whatever is left in the group of a user, and removes it. */
  readonly end: (uid: number) => void;
}

export interface NoUserGroups {
  readonly reason: string;
}

/**
 * Shares out the control group of this process, which must be its own alone: a service with
 * `Delegate` (https://systemd.io/CGROUP_DELEGATION/). It moves into a sub-group itself, because
 * only groups without processes may share out controllers (cgroups(7), no internal processes).
 * Never throws.
 * @param own folder of the group; left out: as the kernel says
 */
export const openUserGroups = (own?: string): UserGroups | NoUserGroups => {
  try {
    const folder =
      own ?? unifiedFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
    if (folder === null) return { reason: 'control groups of version 2 are not mounted here' };
    const inside = readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim();
    if (inside !== String(process.pid)) return { reason: 'its control group is not its own' };
    const first = join(folder, 'first');
    mkdirSync(first, { recursive: true });
    writeFileSync(join(first, 'cgroup.procs'), '0');
    const missing = wanted.filter((name) => !tryWrite(join(folder, 'cgroup.subtree_control'), `+${name}`));
    const groupOf = (uid: number): string => join(folder, `user-${uid}`);
    const end = (uid: number): void => {
      const group = controlGroupAt(groupOf(uid), first);
      group.kill();
      // What is dying keeps it for a moment; the next start takes it over.
      group.remove();
    };
    return {
      missing,
      make: (uid) => {
        end(uid);
        try {
          mkdirSync(groupOf(uid), { recursive: true });
        } catch {
          return null;
        }
        for (const [name, limit] of Object.entries(limits)) tryWrite(join(groupOf(uid), name), limit);
        return groupOf(uid);
      },
      end,
    };
  } catch (error) {
    return { reason: messageOf(error) };
  }
};

/** Returns which limits of users are not in force and why, or null when all are. */
export const sayMissingLimits = (groups: UserGroups | NoUserGroups): string | null => {
  const missing = 'reason' in groups ? wanted : groups.missing;
  if (missing.length === 0) return null;
  const why =
    'reason' in groups ? groups.reason : `the control group of the service has no ${missing.join(', ')} to share out`;
  const what = missing.map((name) => bounds[name]).join(', ');
  return `limits not in force for each user: ${what} (${why})`;
};
