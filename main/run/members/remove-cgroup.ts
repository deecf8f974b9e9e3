import { setTimeout as sleep } from 'node:timers/promises';
import type { RunCgroup } from '../../os/linux/control/cgroup.ts';

/** With the pause, one second. */
const rounds = 50;
const pauseMs = 20;

/**
 * Removes a run's control group. A process that has just ended may hold it for a moment longer (seen on Linux 6.18: EBUSY after
 * all of them were zombies). `moveOut`: what is still inside was left alone, and goes back to the group that `curfew run` was in.
 * Without it, a group with a process inside stays.
 */
export const removeCgroup = async (cgroup: RunCgroup | null, moveOut: boolean): Promise<void> => {
  if (cgroup === null) return;
  for (let round = 0; round < rounds; round += 1) {
    if (moveOut) cgroup.moveOut();
    if (cgroup.remove()) return;
    if (!moveOut && (cgroup.pids() ?? []).length > 0) return;
    await sleep(pauseMs);
  }
};
