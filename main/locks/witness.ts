import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { programOf } from '../../app/agents/signatures.ts';
import type { FoundLock, HolderState, LockWorld } from '../../app/locks/lock.ts';
import { baseName, isInFolder } from '../../app/paths/path.ts';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import {
  type AllUses,
  couldBeGit,
  isWithin,
  mayBeMounted,
  mayLockInside,
  mayWorkIn,
  type ProcessUse,
  usersOf,
} from '../../app/process/uses.ts';
import type { Look } from '../observing/look.ts';
import { mayHoldUnseenSockets } from '../os/bound-sockets.ts';
import { isOnLocalDisk, processUses } from '../os/process-uses.ts';
import { couldBeAgent } from '../agents/could-be-agent.ts';
import type { LockFile } from './find-locks.ts';

/** Between the time of a lock and that of a process, for rounding. Milliseconds. */
const slackMs = 5_000;

/** What runs development servers. */
const runsScripts = /^(?:node|bun|deno|npm|npx|pnpm|yarn|next|nuxt|nuxi|vercel|vinext)(?:[^a-z]|$)|^MainThread$/u;

const couldHold = (kind: FoundLock['kind'], row: ProcessRow): boolean => {
  const names = [row.comm, baseName(row.argv[0] ?? '')];
  if (kind === 'dev-server') return names.some((name) => runsScripts.test(name));
  if (kind === 'worktree') return programOf(row) !== null || agentIds.some((agent) => couldBeAgent(agent, row, []));
  return couldBeGit({ names });
};

/**
 * The process that now has the number which a lock names. It is another one only where it started
 * after the lock was written and runs a program that takes no such lock: a clock that was set makes
 * times alone prove nothing. What runs in a container names the pid that it has there.
 */
const stateOf = ({ look: { table }, all }: Witness, lock: FoundLock, pid: number): HolderState => {
  if (all === null || all.uses.some(({ inner }) => inner.includes(pid))) return 'alive';
  const row = table.rows.get(asPid(pid));
  if (row === undefined || hasEnded(row)) return 'dead';
  const isLater = startedAtMs(table, row.startTicks) > lock.changedMs + slackMs;
  return isLater && !couldHold(lock.kind, row) ? 'other' : 'alive';
};

const othersWrite = (path: string): boolean => {
  try {
    return (statSync(dirname(path)).mode & 0o022) !== 0;
  } catch {
    return true;
  }
};

/** The part of a look that says who uses files. */
type SeenUsers = Pick<Look, 'table' | 'sessions'>;

/** What a look says about users of files; read once for all locks and worktrees of a look. */
export interface Witness {
  readonly look: SeenUsers;
  readonly pidNamespace: string | null;
  /** Null: unknown. */
  readonly all: AllUses | null;
  /** How far the clock may have been put forward since a file was changed, milliseconds. */
  readonly putForwardMs: (changedMs: number) => number;
}

/** The processes that may hold a lock of git; null: unknown. */
type Gits = readonly number[] | null;

/**
 * Reads what all processes of a look use.
 * @throws ProcessTableUnreadable
 */
export const witnessOf = (
  look: SeenUsers,
  pidNamespace: string | null,
  putForwardMs: Witness['putForwardMs'] = () => 0,
): Witness => ({
  look,
  pidNamespace,
  putForwardMs,
  all: processUses(look.table.rows.values()),
});

/** A process of the user that can't be looked into may use anything. */
const hidesSomething = ({ all, look }: Witness): boolean =>
  all === null || all.uses.some(({ denied, uid }) => denied && (uid === null || uid === look.table.uid));

/** Returns whether every process that may use a folder is seen. */
export const allSeen = (folder: string, { look, pidNamespace }: Witness): boolean =>
  look.table.complete && !mayHoldUnseenSockets(folder, pidNamespace);

/** Returns whether a session in that folder is open, or is not known to have ended. */
export const hasOpenSession = (folder: string, { look }: Witness): boolean =>
  look.sessions.some(({ state, project }) => state !== 'gone' && project !== null && isInFolder(project, folder));

/**
 * Returns the processes that use a file, or a folder or anything in it; null: unknown, as where a
 * container has it which can't be looked into.
 */
export const folderUsers = (folder: string, witness: Witness): readonly number[] | null => {
  const place = witness.all?.placeOf(folder) ?? null;
  if (witness.all === null || place === null || hidesSomething(witness)) return null;
  if (mayBeMounted(witness.all, place)) return null;
  return usersOf(witness.all, place);
};

const findGits = ({ lock, roots }: LockFile, shared: boolean, { all, look }: Witness): Gits => {
  if (all === null) return null;
  const places = roots?.flatMap((root) => all.placeOf(root) ?? []) ?? [];
  if (roots !== null && places.length < roots.length) return null;
  const canWrite = ({ uid, denied, writesAsOthers }: ProcessUse): boolean =>
    shared || !denied || writesAsOthers || uid === null || uid === 0 || uid === look.table.uid;
  // Where not all folders are known, those of the lock are.
  const near = roots === null ? [lock.folder, dirname(lock.path)].flatMap((path) => all.placeOf(path) ?? []) : places;
  const isStoppedIn = ({ stopped, places: used }: ProcessUse): boolean =>
    stopped && used.some((place) => places.some((root) => isWithin(place, root)));
  return all.uses
    .filter(
      (use) =>
        (couldBeGit(use) && canWrite(use) && (roots === null || mayWorkIn(use, places))) ||
        isStoppedIn(use) ||
        mayLockInside(use, near),
    )
    .map(({ pid }) => pid);
};

/**
 * What was found for the roots of a repository, which its locks share: it can have thousands of
 * both. By whether others may write.
 */
const knownGits = new WeakMap<AllUses, WeakMap<readonly string[], Map<boolean, Gits>>>();

const gitsAt = (found: LockFile, witness: Witness): Gits => {
  const shared = othersWrite(found.lock.path);
  const { roots } = found;
  const { all } = witness;
  if (roots === null || all === null) return findGits(found, shared, witness);
  const ofLook = knownGits.get(all) ?? new WeakMap<readonly string[], Map<boolean, Gits>>();
  const known = ofLook.get(roots) ?? new Map<boolean, Gits>();
  knownGits.set(all, ofLook.set(roots, known));
  const before = known.get(shared);
  if (before !== undefined) return before;
  const gits = findGits(found, shared, witness);
  known.set(shared, gits);
  return gits;
};

/** Returns what a look says about a lock. */
export const lockWorld = (found: LockFile, witness: Witness, leftByReaping: boolean): LockWorld => {
  const { lock } = found;
  const { look } = witness;
  return {
    nowMs: look.table.takenAtMs - witness.putForwardMs(lock.changedMs),
    host: hostname(),
    allSeen: allSeen(dirname(lock.path), witness),
    localDisk: isOnLocalDisk(lock.path),
    openBy: folderUsers(lock.path, witness),
    gits: gitsAt(found, witness),
    get users() {
      return folderUsers(lock.folder, witness);
    },
    openSession: hasOpenSession(lock.folder, witness),
    stateOf: (pid) => stateOf(witness, lock, pid),
    leftByReaping,
  };
};
