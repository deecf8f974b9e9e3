import { makeRunCgroup, type NoCgroup, type RunCgroup } from '../../os/linux/control/cgroup.ts';
import { joinUserScope, userBus } from '../../os/linux/control/user-scope.ts';
import type { InForce } from '../record/record.ts';

/** A run's control group with the scope it lies in, where the user's service manager had to make one. */
export interface HeldGroup {
  readonly cgroup: RunCgroup;
  readonly scope: string | null;
}

/** Makes the control group of a run: below our own where we may, else in a scope of the user's service manager, into which this process moves. Never throws. */
export const controlGroupFor = async (id: string): Promise<HeldGroup | NoCgroup> => {
  const own = makeRunCgroup(id);
  if ('path' in own) return { cgroup: own, scope: null };
  const joined = await joinUserScope(id);
  if ('reason' in joined) return { reason: `${own.reason}; ${joined.reason}` };
  const below = makeRunCgroup(id);
  return 'path' in below ? { cgroup: below, scope: joined.scope } : { reason: `${own.reason}; ${below.reason}` };
};

/** How a record says which one is in force. */
export const groupInForce = (held: HeldGroup | NoCgroup): InForce['cgroup'] =>
  'reason' in held
    ? { reason: held.reason }
    : { path: held.cgroup.path, ...(held.scope === null ? {} : { scope: held.scope }) };

/** What a run would get on this machine, without starting one: makes a group and removes it at once. */
export const controlGroupHere = (): 'own' | 'user-manager' | NoCgroup => {
  const own = makeRunCgroup('doctor');
  if ('path' in own) {
    own.remove();
    return 'own';
  }
  return userBus(process.env) === null ? own : 'user-manager';
};
