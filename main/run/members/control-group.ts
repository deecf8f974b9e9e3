import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NoCgroup, makeControlGroup } from '../../os/containment/control-group.ts';
import type { Enclosure } from '../../os/containment/service-manager.ts';
import { joinUserScope, userBus } from '../../os/containment/user-scope.ts';
import type { InForce } from '../record/record.ts';

/** One second in total with the pauses. */
const rounds = 50;
const pauseMs = 20;

/**
 * Removes a run's control group. An ended process may hold it a moment longer (seen on Linux 6.18:
 * EBUSY after all members were zombies). `moveOut` moves remaining processes to the group of
 * `curfew run`; without it, a group with a process in it stays.
 */
export const removeEnclosure = async (enclosure: Enclosure | null, moveOut: boolean): Promise<void> => {
  if (enclosure === null) return;
  for (let round = 0; round < rounds; round += 1) {
    if (moveOut) enclosure.moveOut();
    if (enclosure.remove()) return;
    if (!moveOut && (enclosure.pids() ?? []).length > 0) return;
    await sleep(pauseMs);
  }
};

/** The control group of a run, and its scope if the user's service manager made one. */
export interface HeldGroup {
  readonly cgroup: Enclosure;
  readonly scope: string | null;
}

/**
 * Makes the control group of a run: below our own if permitted, else in a scope of the user's
 * service manager, which this process joins. Never throws.
 */
export const controlGroupFor = async (id: string): Promise<HeldGroup | NoCgroup> => {
  const own = makeControlGroup(id);
  if ('path' in own) return { cgroup: own, scope: null };
  const joined = await joinUserScope(id);
  if ('reason' in joined) return { reason: `${own.reason}; ${joined.reason}` };
  const below = makeControlGroup(id);
  return 'path' in below ? { cgroup: below, scope: joined.scope } : { reason: `${own.reason}; ${below.reason}` };
};

/** Returns the control group as records state it. */
export const groupInForce = (held: HeldGroup | NoCgroup): InForce['cgroup'] =>
  'reason' in held
    ? { reason: held.reason }
    : { path: held.cgroup.path, ...(held.scope === null ? {} : { scope: held.scope }) };

/** Returns which control group a run would get on this machine: makes one and removes it. */
export const controlGroupHere = (): 'own' | 'user-manager' | NoCgroup => {
  const own = makeControlGroup(`probe-${randomUUID()}`);
  if ('path' in own) {
    own.remove();
    return 'own';
  }
  return userBus(process.env) === null ? own : 'user-manager';
};
