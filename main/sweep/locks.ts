import type { Incident } from '../../app/history/incident.ts';
import type { Remover } from '../../app/history/removal.ts';
import type { FoundLock, LockVerdict } from '../../app/locks/lock.ts';
import { judgeLock } from '../../app/locks/judge-lock.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { noted } from '../../app/text/noted.ts';
import { leftLock, lockRemoved, lockSaid, sayLockReason } from '../../app/text/abandoned/locks.ts';
import { messageOf } from '../../app/format/error-message.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { knownFolders } from './known-folders.ts';
import { realFolder, repositoriesOf } from '../repositories/repository.ts';
import { entryId } from '../os/files/entry-id.ts';
import { removeFile, type Removal } from '../os/files/remove-file.ts';
import { devLocksOf, type LockFile, locksOf } from '../locks/find-locks.ts';
import { lockWorld, witnessOf } from '../locks/witness.ts';

type LockEngine = Pick<Engine, 'source' | 'history' | 'journal' | 'log' | 'observer' | 'putForwardMs'>;

/** A lock with what is proved of its holder. */
export interface JudgedLock extends LockFile {
  /** Another file at its place, or another verdict, has another. */
  readonly id: string;
  readonly verdict: LockVerdict;
  /** The incident that left it, by its record. */
  readonly incident: string | null;
}

const locksIn = (folders: readonly string[], uid: number): readonly LockFile[] => {
  const repositories = repositoriesOf(folders, uid);
  const worktrees = repositories.flatMap((one) => one.worktrees.flatMap(({ folder }) => folder ?? []));
  const projects = [...new Set([...folders, ...worktrees].flatMap((path) => realFolder(path) ?? []))];
  return [
    ...repositories.flatMap((repository) => locksOf(repository, uid)),
    ...projects.flatMap((project) => devLocksOf(project, uid)),
  ];
};

/** Incidents whose record may name a lock. */
const maxIncidents = 200;

/** The incident that left a lock: one that was written later is another lock at its place. */
const whichLeft = (incidents: readonly Incident[], { path, changedMs }: FoundLock): string | null =>
  incidents.find(({ events }) =>
    events.some(
      (event) => event.kind === 'note' && changedMs <= event.atMs && leftLock.isOf(event.said ?? event.text, path),
    ),
  )?.id ?? null;

/**
 * Returns the locks in known folders, or in those alone that are named, with what is proved of
 * their holders. Changes nothing.
 * @throws ProcessTableUnreadable, StoreFailure
 */
export const findLocks = (
  engine: LockEngine,
  folders: readonly string[] | null,
  look: Look = engine.observer.look(),
): readonly JudgedLock[] => {
  const found = locksIn(folders ?? knownFolders(engine, look), look.table.uid);
  if (found.length === 0) return [];
  const witness = witnessOf(look, engine.source.pidNamespace, engine.putForwardMs);
  const incidents = [...engine.history.query({ host: 'local', limit: maxIncidents })];
  return found.map((one) => {
    const incident = whichLeft(incidents, one.lock);
    const verdict = judgeLock(one.lock, lockWorld(one, witness, incident !== null));
    return { ...one, id: entryId('lock', one.lock.path, one.file.stamp, verdict.state), incident, verdict };
  });
};

/** Says why a lock is still there; null: it is not. */
export const lockProblem = (result: Removal): Said | null => {
  if (result.kind === 'deleted') return null;
  return result.kind === 'failed' ? result.why : say('it is another one by now, or in use');
};

/**
 * Removes locks that were found stale, each after a second look found the same file stale again.
 * The log says which, and so does the record of the incident that left it.
 * @throws ProcessTableUnreadable; then nothing was removed
 */
export const removeLocks = (
  engine: LockEngine & Pick<Engine, 'recordRemovals'>,
  stale: readonly JudgedLock[],
  by: Remover,
): readonly { readonly lock: JudgedLock; readonly result: Removal }[] => {
  const look = engine.observer.look();
  const witness = witnessOf(look, engine.source.pidNamespace, engine.putForwardMs);
  const done = stale.map((one) => {
    const again = judgeLock(one.lock, lockWorld(one, witness, one.incident !== null));
    const result: Removal = again.state === 'stale' ? removeFile(one.file, look.table.uid) : { kind: 'changed' };
    const { path, kind } = one.lock;
    if (result.kind === 'deleted') {
      engine.log.info('lock removed', { path, kind, reason: one.verdict.reason });
      if (one.incident !== null)
        try {
          engine.journal.append(one.incident, noted(Date.now(), lockRemoved(path)));
        } catch (error) {
          engine.log.warn('not recorded', { path, problem: messageOf(error) });
        }
    } else engine.log.warn('lock not removed', { path, kind, result: result.kind });
    return { lock: one, result };
  });
  engine.recordRemovals(
    done
      .filter(({ result }) => result.kind === 'deleted')
      .map(({ lock: { lock, verdict } }) => ({
        atMs: Date.now(),
        kind: 'lock',
        what: lockSaid(lock.kind),
        path: lock.path,
        files: 1,
        bytes: lock.bytes,
        why: sayLockReason(verdict),
        by,
      })),
  );
  return done;
};
