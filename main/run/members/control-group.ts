import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedBy, boundEnclosure, type Bounds, type BoundsMet } from '../../os/containment/bounds.ts';
import { type NoCgroup, makeControlGroup, runGroupName } from '../../os/containment/control-group.ts';
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
  /** Groups of version 1 beside it, which bound it. */
  readonly beside?: readonly string[];
  /** How often the kernel held it to its bounds. Left out: it has none. */
  readonly met?: () => BoundsMet;
}

/**
 * Makes the control group of a run, within these bounds: below our own if permitted, else in a
 * scope of the user's service manager, which this process joins. Never throws.
 */
export const controlGroupFor = async (id: string, bounds: Bounds): Promise<HeldGroup | NoCgroup> => {
  const isBounded = boundedBy(bounds).length > 0;
  const held = (own: Enclosure | NoCgroup, scope: string | null): HeldGroup | NoCgroup => {
    if (!isBounded) return 'path' in own ? { cgroup: own, scope } : own;
    const result = boundEnclosure('path' in own ? own : null, runGroupName(id), bounds);
    if (!('reason' in result)) return { cgroup: result.enclosure, scope, beside: result.beside, met: result.met };
    if ('path' in own) own.remove();
    return result;
  };
  const own = held(makeControlGroup(id), null);
  if ('cgroup' in own) return own;
  const joined = await joinUserScope(runGroupName(id));
  if ('reason' in joined) return { reason: `${own.reason}; ${joined.reason}` };
  const below = held(makeControlGroup(id, isBounded ? 'first' : null), joined.scope);
  return 'cgroup' in below ? below : { reason: `${own.reason}; ${below.reason}` };
};

/** Returns the control group as records state it. */
export const groupInForce = (held: HeldGroup | NoCgroup): InForce['cgroup'] =>
  'reason' in held
    ? { reason: held.reason }
    : {
        path: held.cgroup.path,
        ...(held.scope === null ? {} : { scope: held.scope }),
        ...(held.beside === undefined ? {} : { beside: [...held.beside] }),
      };

/** Returns which control group a run would get on this machine: makes one and removes it. */
export const controlGroupHere = (): 'own' | 'user-manager' | NoCgroup => {
  const own = makeControlGroup(`probe-${randomUUID()}`);
  if ('path' in own) {
    own.remove();
    return 'own';
  }
  return userBus(process.env) === null ? own : 'user-manager';
};
