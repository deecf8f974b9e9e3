import type { FoundLock, LockReason, LockVerdict, LockWorld } from './lock.ts';

/**
 * A program with git inside of it (an editor's library) closes a lock before it renames it, and is
 * no git by name. It needs milliseconds for that.
 */
const minAgeMs = 60_000;

const stale = (reason: LockReason): LockVerdict => ({ state: 'stale', reason, pids: [] });
const unknown = (reason: LockReason): LockVerdict => ({ state: 'unknown', reason, pids: [] });
const held = (reason: LockReason, pids: readonly number[] = []): LockVerdict => ({ state: 'held', reason, pids });

const byProcess = (pid: number, { stateOf, users, openSession }: LockWorld): LockVerdict => {
  if (stateOf(pid) === 'alive') return held('holder-alive', [pid]);
  if (openSession) return held('session-open');
  if (users === null) return unknown('not-all-seen');
  return users.length > 0 ? held('folder-in-use', users) : stale('holder-dead');
};

const byGit = ({ gits }: LockWorld): LockVerdict | null => {
  if (gits === null) return unknown('not-all-seen');
  return gits.length > 0 ? held('git-at-work', gits) : null;
};

const ofHolder = (lock: FoundLock, world: LockWorld): LockVerdict => {
  const { holder, kind } = lock;
  switch (kind) {
    case 'git':
      return byGit(world) ?? stale('no-git');
    case 'gc':
      if (holder.named !== 'process') return unknown('no-lock');
      if (holder.host !== world.host) return unknown('elsewhere');
      if (world.stateOf(holder.pid) === 'alive') return held('holder-alive', [holder.pid]);
      return byGit(world) ?? stale('holder-dead');
    case 'worktree':
      if (holder.named !== 'process') return held('by-hand');
      return byProcess(holder.pid, world);
    case 'dev-server':
      if (holder.named !== 'process') return unknown('no-lock');
      if (world.stateOf(holder.pid) === 'alive') return held('holder-alive', [holder.pid]);
      return stale('holder-dead');
  }
};

/**
 * Judges a lock. Pure and total: stale only where its holder is proved dead, by identity and by
 * what every process that could hold it has open; whatever is not known leaves it alone.
 */
export const judgeLock = (lock: FoundLock, world: LockWorld): LockVerdict => {
  if (lock.type !== 'file' || lock.names !== 1) return unknown('no-lock');
  if (!lock.ownedByUser) return unknown('another-user');
  if (!world.localDisk) return unknown('elsewhere');
  if (!world.allSeen || world.openBy === null) return unknown('not-all-seen');
  if (world.openBy.length > 0) return held('open', world.openBy);
  const verdict = ofHolder(lock, world);
  // A change in the future tells no age.
  const isYoung = world.nowMs - lock.changedMs < minAgeMs;
  const mayBeTaken = isYoung && lock.kind !== 'worktree' && !world.leftByReaping;
  return mayBeTaken && verdict.state === 'stale' ? unknown('young') : verdict;
};
