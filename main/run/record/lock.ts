import { codeOf } from '../../../app/format/error-message.ts';
import { say, SaidError } from '../../../app/text/say.ts';
import { createHash } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { temporaryFolder } from '../../os/files/owned-place.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import type { SafeText } from '../../../app/format/secrets/safe-text.ts';
import { type ProcessIdentity, type RunId, asPid, asRunId, runIdPattern } from '../../../app/process/identity.ts';
import { readBoundedText } from '../../os/files/own-file.ts';
import { parseJson } from '../../../app/format/json.ts';
import type { IdentityReader } from '../../os/processes/signaller.ts';
import { type FileLock, lockFile } from '../../store/database/file-lock.ts';
import { renameOver } from '../../store/files/whole-file.ts';
import { type WhyNotDead, whyNotDead } from './proved-dead.ts';
import { z } from 'zod';
import { sharedTemporary } from '../../os/this-system.ts';

/** Upper bound in ms for another process to replace a dead holder's file; it usually takes 1 ms. */
const patienceMs = 10_000;
/** Names that other users can take away before nothing is left for this one. */
const names = 16;

/**
 * Returns the folders in which the mutex of a lock may lie, the first choice first. /tmp comes
 * before a TMPDIR: the runs of a user need not share that, and must agree.
 */
const foldersIn = (bases: readonly string[]): readonly string[] => {
  const name = `curfew-locks-${process.getuid?.() ?? 0}`;
  return [...new Set(bases)].flatMap((base) =>
    Array.from({ length: names }, (_, at) => join(base, at === 0 ? name : `${name}-${at}`)),
  );
};

/** Another user could hold a mutex for ever, or replace it, in a folder that it can write. */
const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o77) === 0);
};

/** Makes the folder unless it is there. The umask may remove even the owner's permissions. */
const make = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch {
    // It is there, or can't be made: then it is not this user's.
  }
};

const releaseAll = (held: readonly FileLock[]): void => {
  for (const lock of held.toReversed()) lock.release();
};

/** Takes the files in their order, which is the same for all; null where one stays held. */
const takeAll = (files: readonly string[], waitMs: number): readonly FileLock[] | null => {
  const held: FileLock[] = [];
  try {
    for (const file of files) {
      const lock = lockFile(file, 'exclusive', waitMs);
      if (lock === null) break;
      held.push(lock);
    }
  } catch (error) {
    releaseAll(held);
    throw error;
  }
  if (held.length === files.length) return held;
  releaseAll(held);
  return null;
};

const usual = (): readonly string[] => [...sharedTemporary, temporaryFolder()];

/**
 * Serialises replacing or removing a dead holder's file. The kernel releases it when its holder
 * dies. One place for all CURFEW_HOMEs of a user: the first folder that is the user's own. Which
 * is the first can change, so later ones are taken with it, and it is asked again at the end.
 * Creating the file needs no mutex: link(2) fails if it exists.
 * @throws when it stays held, or no folder is this user's own
 */
export const mutexFor = (place: string, bases = usual(), waitMs = patienceMs): FileLock => {
  const name = `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.lock`;
  const folders = foldersIn(bases);
  for (let again = 0; again < folders.length; again++) {
    const first = folders.findIndex((folder) => {
      make(folder);
      return isOwn(folder);
    });
    if (first === -1) break;
    const own = folders.slice(first).filter((folder, at) => at === 0 || isOwn(folder));
    const held = takeAll(
      own.map((folder) => join(folder, name)),
      waitMs,
    );
    if (held === null)
      throw new SaidError(
        say("{path} is being taken over by another Curfew, and that doesn't end. Try again.", { path: place }),
      );
    if (!folders.slice(0, first).some(isOwn)) return { release: () => releaseAll(held) };
    releaseAll(held);
  }
  throw new SaidError(
    say(
      "{folder} belongs to another user, and so do the further names, so locks can't be taken over safely. Remove them.",
      { folder: String(folders[0]) },
    ),
  );
};

/** The content of a lock file: its holder. */
const holder = z.object({
  pid: z.int().positive(),
  startTicks: z.number(),
  bootId: z.string(),
  host: z.string(),
  run: z.string().regex(runIdPattern).transform(asRunId),
  command: z.string().transform(redactCommand),
  since: z.iso.datetime(),
});

export type LockHolder = z.infer<typeof holder>;

export interface RunLock {
  readonly path: string;
  /** Removes the file if it is still ours. */
  release(): void;
}

/** The result of an attempt. `by` is null if Curfew does not understand the file. */
export type LockAttempt =
  | { readonly taken: true; readonly lock: RunLock }
  | { readonly taken: false; readonly by: LockHolder | null; readonly why: HeldWhy; readonly text: string };

/**
 * Why a lock is not taken over: its holder is not proved dead, the file is not one of `curfew run`
 * (`foreign`), or what the holder started may live. `no-record`: the run of a dead holder has no
 * record that can be read here, so what it left is not known; `survivors`: some of it is left.
 */
export type HeldWhy = WhyNotDead | 'foreign' | LeftWhy;

export type LeftWhy = 'no-record' | 'survivors';

export interface LockOptions {
  readonly path: string;
  readonly self: ProcessIdentity;
  readonly run: RunId;
  readonly command: SafeText;
  readonly reader: IdentityReader;
  /**
   * Ends what a dead holder left running, before its lock is taken over. `ended` is proof that
   * nothing of its run is left; `busy`: another Curfew is ending it.
   */
  readonly endAbandoned: (run: RunId) => Promise<'ended' | 'busy' | LeftWhy>;
}

/** Ms of pause while another Curfew ends what a holder left; `maxRounds` exceed any grace. */
const busyPauseMs = 50;
/** More rounds than races in practice: over eight minutes with the pauses. */
const maxRounds = 10_000;

/** Returns a file's real path, so that its names are one lock. It must not be a link itself. */
const placeOf = (path: string): string => {
  const absolute = resolve(path);
  return join(realpathSync(dirname(absolute)), basename(absolute));
};

const readText = (path: string): string | null => {
  try {
    if (!lstatSync(path).isFile())
      throw new SaidError(say("{path} is no regular file, so it can't be a lock.", { path }));
    return readBoundedText(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const holderIn = (text: string): LockHolder | null => holder.safeParse(parseJson(text)).data ?? null;

/** With hidepid an invisible process may live, so only our own processes count as gone. */
const isSeen = (place: string, reader: IdentityReader): boolean => {
  const own = process.getuid?.() ?? 0;
  return own === 0 || reader.read(asPid(1)) !== null || lstatSync(place, { throwIfNoEntry: false })?.uid === own;
};

/**
 * Returns the holder of this run's lock if the file still names it and it is proved dead, else
 * null.
 * @throws the file system's error
 */
export const deadHolderOf = (path: string, run: RunId, reader: IdentityReader): LockHolder | null => {
  const text = readText(path);
  const found = text === null ? null : holderIn(text);
  return found?.run === run && whyNotDead(found, reader) === null && isSeen(path, reader) ? found : null;
};

/** Removes the lock file of a run if it still is the run's; also for abandoned runs. */
export const removeRunLock = (path: string, run: RunId): void => {
  const mutex = mutexFor(path);
  try {
    const text = readText(path);
    if (text !== null && holderIn(text)?.run === run) unlinkSync(path);
  } finally {
    mutex.release();
  }
};

const replaceDead = (place: string, seen: string, beside: string): boolean => {
  const mutex = mutexFor(place);
  try {
    if (readText(place) !== seen) return false;
    renameOver(beside, place);
    return true;
  } finally {
    mutex.release();
  }
};

/**
 * Takes a lock for a run. The file appears complete or not at all. It is refused unless its holder
 * is proved dead; then what the holder left running is ended and the lock taken over.
 * @throws the file system's error when the folder is missing or can't be written
 */
export const takeRunLock = async (options: LockOptions): Promise<LockAttempt> => {
  const { self, run, reader } = options;
  const place = placeOf(options.path);
  const own: LockHolder = {
    pid: self.pid,
    startTicks: self.startTicks,
    bootId: self.bootId,
    host: hostname(),
    run,
    command: options.command,
    since: new Date().toISOString(),
  };
  const beside = `${place}.${run}.new`;
  const lock: RunLock = { path: place, release: () => removeRunLock(place, run) };
  writeFileSync(beside, `${JSON.stringify(own)}\n`, { flag: 'wx', mode: 0o644 });
  try {
    for (let round = 0; round < maxRounds; round += 1) {
      try {
        linkSync(beside, place);
        return { taken: true, lock };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const text = readText(place);
      if (text === null) continue;
      const by = holderIn(text);
      // A bare pid is no identity: it may come from a container, another machine or an earlier
      // boot.
      if (by === null) return { taken: false, by, why: 'foreign', text };
      const why = whyNotDead(by, reader) ?? (isSeen(place, reader) ? null : 'unseen');
      if (why !== null) return { taken: false, by, why, text };
      const left = await options.endAbandoned(by.run);
      if (left === 'busy') {
        await sleep(busyPauseMs);
        continue;
      }
      if (left !== 'ended') {
        // Another Curfew may have ended it meanwhile, with record and lock.
        if (readText(place) !== text) continue;
        return { taken: false, by, why: left, text };
      }
      if (replaceDead(place, text, beside)) return { taken: true, lock };
    }
    throw new SaidError(say('{path} changes hands so fast that it could not be taken. Try again.', { path: place }));
  } finally {
    rmSync(beside, { force: true });
  }
};
