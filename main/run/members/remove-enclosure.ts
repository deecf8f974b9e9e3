import { setTimeout as sleep } from 'node:timers/promises';
import type { Enclosure } from '../../os/containment/enclosure.ts';

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
