import { setTimeout as sleep } from 'node:timers/promises';
import type { RunCgroup } from '../os/linux/cgroup.ts';

/** With the pause, one second. */
const rounds = 50;
const pauseMs = 20;

/**
 * Removes a run's control group. A process that has just ended may hold it for a moment longer (seen on Linux 6.18: EBUSY after everybody was a zombie). One in which somebody
 * is left stays.
 */
export const removeCgroup = async (cgroup: RunCgroup | null): Promise<void> => {
  if (cgroup === null) return;
  for (let round = 0; round < rounds && !cgroup.remove(); round += 1) {
    if ((cgroup.pids() ?? []).length > 0) return;
    await sleep(pauseMs);
  }
};
