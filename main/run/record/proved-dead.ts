import { hostname } from 'node:os';
import { asPid } from '../../../app/process/identity.ts';
import { mayStillLive } from '../../../app/process/row.ts';
import type { IdentityReader } from '../../os/processes/signaller.ts';
import { bootNamesNamespace } from '../../os/this-system.ts';

export interface NamedProcess {
  readonly pid: number;
  readonly startTicks: number;
  readonly bootId: string;
  /** The name of its machine; null where an older version did not write it. */
  readonly host: string | null;
}

/**
 * Why a process is not proved dead. `lives`: it was seen. In the other cases it may live: on
 * another machine (`elsewhere`), in another boot or pid namespace, or on a machine that hides its
 * boot (`unseen`).
 */
export type WhyNotDead = 'lives' | 'elsewhere' | 'another-boot' | 'another-namespace' | 'unseen';

/** The boot id of a kernel, and on Linux the inode of a pid namespace: see `readBootId`. */
const linuxBoot = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/\d+$/u;

/** Returns whether the machine names boot and pid namespace; else equal names prove nothing. */
const namesItsBoot = (bootId: string): boolean => !bootNamesNamespace || linuxBoot.test(bootId);

const kernelBoot = (bootId: string): string => bootId.split('/', 1).join('');

/**
 * Returns null if a process is proved dead: same boot, same pid namespace, and no process with its
 * pid that may have its start time. Otherwise returns why not. Another boot id proves nothing: the
 * folder may be shared with another machine, and that may have the same name.
 */
export const whyNotDead = (named: NamedProcess, reader: Pick<IdentityReader, 'bootId' | 'read'>): WhyNotDead | null => {
  if (named.host !== null && named.host !== hostname()) return 'elsewhere';
  if (!namesItsBoot(reader.bootId)) return 'unseen';
  if (named.bootId !== reader.bootId)
    return kernelBoot(named.bootId) === kernelBoot(reader.bootId) ? 'another-namespace' : 'another-boot';
  return mayStillLive(reader.read(asPid(named.pid)), named) ? 'lives' : null;
};
