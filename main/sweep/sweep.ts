import { isAbsolute, join } from 'node:path';
import { messageOf } from '../../app/format/error-message.ts';
import { programOf } from '../../app/agents/signatures.ts';
import { decideFile } from '../../app/sweep/decide.ts';
import type { FileOwner, StaleCandidate, SweepDecision } from '../../app/sweep/stale-file.ts';
import { mayHoldUnseenSockets } from '../os/bound-sockets.ts';
import { holdFolder } from '../os/files/held-folder.ts';
import { removeRunLock } from '../run/record/lock.ts';
import type { RunId } from '../../app/process/run-id.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import type { SeenFile } from './found-file.ts';
import { seeFile } from './found-file.ts';
import type { KnownFolder } from './known-folders.ts';
import { knownFolders } from './known-folders.ts';
import { staleRunLocks } from './locks.ts';
import type { Removal } from './remove-file.ts';
import { removeFile } from './remove-file.ts';
import { sweepWorld } from './world.ts';

/** At most this many names of one folder are read, and this many files deleted at once. */
const maxNames = 10_000;
const maxDeletions = 5000;

type SweepEngine = Pick<Engine, 'observer' | 'source' | 'places' | 'home'>;

interface Found {
  readonly file: SeenFile;
  readonly decision: SweepDecision;
  /** The lock of this run is removed as such. */
  readonly run: RunId | null;
}

/** What a sweep would do, and what it skipped. */
export interface SweepPlan {
  readonly nowMs: number;
  readonly found: readonly Found[];
  /** Folders that were skipped, and why, in words. */
  readonly passedOver: readonly string[];
}

/** The result for one file. */
export type SweepResult = Removal | { readonly kind: 'in-use-again' };

const listed = (
  folder: KnownFolder,
  uid: number,
  pidNamespace: string | null,
  passedOver: string[],
): readonly { file: SeenFile; owner: FileOwner }[] => {
  if (folder.kind === 'socket' && mayHoldUnseenSockets(folder.path, pidNamespace)) {
    passedOver.push(`${folder.path}: processes that can't be seen from here may use it too`);
    return [];
  }
  const held = holdFolder(folder.path, uid);
  if (!held.ok) {
    if (!held.why.endsWith('is not there')) passedOver.push(held.why);
    return [];
  }
  try {
    const names = held.folder.names().toSorted();
    if (names.length > maxNames) passedOver.push(`${folder.path}: only the first ${maxNames} of ${names.length} names`);
    return names.slice(0, maxNames).flatMap((name) => {
      const owner = folder.ownerOf(name);
      const file = owner === null ? null : seeFile(held.folder.at(name), join(folder.path, name), uid);
      return owner === null || file === null ? [] : [{ file, owner }];
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    passedOver.push(`${folder.path}: ${error.message}`);
    return [];
  } finally {
    held.folder.close();
  }
};

/** Returns the files in which agents keep an ended session, which the agents clear away. */
const sessionFiles = (look: Look, uid: number): readonly StaleCandidate[] =>
  look.sessions.flatMap(({ state, source }): StaleCandidate[] => {
    if (state !== 'gone' || !isAbsolute(source)) return [];
    const file = seeFile(source, source, uid);
    if (file === null) return [];
    const kind = source.endsWith('.lock') ? 'lock-file' : 'session-file';
    return [{ kind, file, owner: { kind: 'holder', state: 'dead' }, mayDelete: false }];
  });

/**
 * Searches once for stale files of dead sessions. Deletes nothing.
 * @param configurationFolder CLAUDE_CONFIG_DIR of the caller, if any
 * @throws ProcessTableUnreadable
 */
export const planSweep = (engine: SweepEngine, configurationFolder: string | null): SweepPlan => {
  const { source, places, home } = engine;
  const look = engine.observer.look();
  const { table } = look;
  const world = sweepWorld(source, look);
  const agents = [...table.rows.values()].filter((row) => row.uid === table.uid && programOf(row) === 'claude-code');
  const configured = agents.map((row) => source.environment(row)?.['CLAUDE_CONFIG_DIR']);
  const configurationFolders = [configurationFolder ?? undefined, ...configured].filter((one) => one !== undefined);
  const passedOver: string[] = [];
  const inFolders = knownFolders({ home, configurationFolders }).flatMap((folder) =>
    listed(folder, table.uid, source.pidNamespace, passedOver).map(({ file, owner }) => ({
      file,
      run: null,
      decision: decideFile({ kind: folder.kind, file, owner, mayDelete: true }, world),
    })),
  );
  const others = [
    ...sessionFiles(look, table.uid).map((candidate) => ({ candidate, run: null })),
    ...staleRunLocks(places.runs, source, table.uid),
  ].flatMap(({ candidate, run }) => {
    const file = seeFile(candidate.file.path, candidate.file.path, table.uid);
    return file === null ? [] : [{ file, run, decision: decideFile(candidate, world) }];
  });
  return { nowMs: world.nowMs, found: [...inFolders, ...others], passedOver };
};

const removed = ({ file, run }: Found, uid: number): Removal => {
  if (run === null) return removeFile(file, uid);
  try {
    removeRunLock(file.path, run);
    return seeFile(file.path, file.path, uid) === null ? { kind: 'deleted' } : { kind: 'changed' };
  } catch (error) {
    return { kind: 'failed', why: messageOf(error) };
  }
};

/**
 * Deletes what a plan found to be stale, after a second search found the same: a file that came
 * into use meanwhile, or another in its place, stays.
 * @throws ProcessTableUnreadable; then nothing was deleted
 */
export const carryOutSweep = (
  engine: SweepEngine,
  plan: SweepPlan,
  configurationFolder: string | null,
): readonly { readonly found: Found; readonly result: SweepResult }[] => {
  const due = plan.found.filter(({ decision }) => decision.action === 'delete').slice(0, maxDeletions);
  if (due.length === 0) return [];
  const again = planSweep(engine, configurationFolder);
  const still = new Set(
    again.found.filter(({ decision }) => decision.action === 'delete').map(({ file }) => `${file.path} ${file.stamp}`),
  );
  const uid = process.getuid?.() ?? 0;
  return due.map((found) => ({
    found,
    result: still.has(`${found.file.path} ${found.file.stamp}`) ? removed(found, uid) : { kind: 'in-use-again' },
  }));
};
