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
  return (folders) => {
    const projects = new Set(folders.flatMap((folder) => realFolder(folder) ?? []));
    return [...projects]
      .flatMap((project) => devLocksOf(project, look.table.uid))
      .map((found) => {
        const { path, holder } = found.lock;
        const { state, reason, pids } = judgeLock(found.lock, lockWorld(found, witness(), false));
        return { path, pid: holder.named === 'process' ? holder.pid : null, state, reason, pids: [...pids] };
      });
  };
};
