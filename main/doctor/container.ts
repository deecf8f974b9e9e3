import { visibleText } from '../../app/format/visible.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { sized } from '../../app/text/form.ts';
import { listed, say } from '../../app/text/say.ts';
import { readCeilings } from '../os/containment/ceilings.ts';
import { note, ok, type SaidFinding } from './finding.ts';
import { runsInContainers } from '../os/this-system.ts';

/** Programs that start services: below any other process 1 nothing starts by itself. */
const serviceManagers = /^(?:systemd|init|launchd|runit|s6-svscan|openrc-init|dinit|procd)$/u;

/** The size that docker gives /dev/shm, with which browsers crash; bytes. */
const smallSharedMemory = 64 * 1024 * 1024;

/** Returns what bounds this machine if it is a container, and what is missing in it. */
export const container = (rows: ProcessTable['rows']): readonly SaidFinding[] => {
  const first = rows.get(asPid(1));
  if (!runsInContainers || first === undefined || serviceManagers.test(first.comm)) return [];
  const { pids, memory, sharedMemory } = readCeilings();
  const limits = [
    ...(pids === null ? [] : [say('{used} of {max} process ids', { used: pids.used, max: pids.max })]),
    ...(memory === null ? [] : [say('{used} of {max} memory', { used: sized(memory.used), max: sized(memory.max) })]),
  ];
  const name = { first: visibleText(first.comm) };
  return [
    ok(
      'Container',
      limits.length === 0
        ? say('Process 1 is {first}; no limit of memory or process ids is seen.', name)
        : say('Process 1 is {first}; taken: {limits}.', { ...name, limits: listed(limits, ', ') }),
    ),
    ...(sharedMemory === null || sharedMemory.max > smallSharedMemory
      ? []
      : [
          note(
            'Container',
            say('/dev/shm has {size}, with which browsers crash: `docker run --shm-size 1g` gives more.', {
              size: sized(sharedMemory.max),
            }),
          ),
        ]),
  ];
};
