import type { FoundPort } from '../../app/documents/port.ts';
import { once } from '../../app/format/once.ts';
import { judgeLock } from '../../app/locks/judge-lock.ts';
import { devLocksOf } from '../locks/find-locks.ts';
import { lockWorld, witnessOf } from '../locks/witness.ts';
import type { Look } from '../observing/look.ts';
import { realFolder } from '../repositories/repository.ts';

/**
 * Returns a function that reads the locks of development servers in folders, with what is proved of
 * the processes that they name. What processes use is read once, and only where there is a lock.
 */
export const devLocksIn = (
  look: Look,
  pidNamespace: string | null,
): ((folders: readonly string[]) => FoundPort['locks']) => {
  const witness = once(() => witnessOf(look, pidNamespace));
  const known = new Map<string, FoundPort['locks']>();
  const locksAt = (folder: string): FoundPort['locks'] => {
    const project = realFolder(folder);
    if (project === null) return [];
    return devLocksOf(project, look.table.uid).map((found) => {
      const { path, holder } = found.lock;
      const { state, reason, pids } = judgeLock(found.lock, lockWorld(found, witness(), false));
      return { path, pid: holder.named === 'process' ? holder.pid : null, state, reason, pids: [...pids] };
    });
  };
  return (folders) => {
    for (const folder of folders) if (!known.has(folder)) known.set(folder, locksAt(folder));
    const all = folders.flatMap((folder) => known.get(folder) ?? []);
    return [...new Map(all.map((one) => [one.path, one])).values()];
  };
};
