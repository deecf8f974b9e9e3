import { blockFor } from '../os/processes/block-for.ts';
import { closeSync, constants, existsSync, rmSync } from 'node:fs';
import { once } from '../../app/format/once.ts';
import { openRegularFile } from '../os/files/own-file.ts';
import { lockFile } from './database/file-lock.ts';
import { fileAt } from './database/set-aside.ts';
import { StoreFailure, storeProblemOf } from './database/store-failure.ts';
import { readJsonFile } from './files/json-file.ts';
import { writeWholeFile } from './files/whole-file.ts';
import { z } from 'zod';

/** Beside the lock, so that only the same user can write it. */
const requestPath = (lock: string): string => `${lock}.wanted`;

/**
 * Asks the holder of a supervisor's lock to give it up. Only the child of a machine's service does:
 * the user's own Curfew goes before it.
 * @throws the file system's error
 */
export const requestLock = (lock: string): void =>
  closeSync(openRegularFile(requestPath(lock), constants.O_WRONLY | constants.O_CREAT, 0o600));

/** Returns whether another supervisor asks for this lock. */
export const isLockRequested = (lock: string): boolean => existsSync(requestPath(lock));

/**
 * Removes a request: it was met, given up, or left by a process that is gone.
 * @throws the file system's error
 */
export const forgetLockRequest = (lock: string): void => rmSync(requestPath(lock), { force: true });

/** Kinds of supervisors. */
const supervisorKinds = ['watch', 'web', 'app', 'service'] as const;

export type SupervisorKind = (typeof supervisorKinds)[number];

export interface SupervisorHolder {
  readonly pid: number;
  /** Start time of the process, in the kernel's ticks; see `ProcessIdentity`. */
  readonly startTicks: number;
  /** Wall clock, milliseconds. */
  readonly sinceMs: number;
  readonly what: SupervisorKind;
  /** Null: the user has not chosen yet, so it observes. */
  readonly mode: 'enforce' | 'observe' | null;
}

/** The supervisor's lock of a home, held until it is released or this process ends in any way. */
export interface SupervisorLock {
  /**
   * Returns false after the release, and when the file was removed: another supervisor could start
   * then, so this one has to end (or release and try again).
   */
  readonly stillHeld: () => boolean;
  readonly tell: (mode: SupervisorHolder['mode']) => void;
  readonly release: () => void;
}

/** The result of claiming the lock. `holder` is null if it could not be read. */
export type SupervisorClaim =
  | { readonly kind: 'held'; readonly lock: SupervisorLock }
  | { readonly kind: 'taken'; readonly holder: SupervisorHolder | null };

const holderSchema = once(() =>
  z.object({
    pid: z.number().int().positive(),
    startTicks: z.number().nonnegative(),
    sinceMs: z.number().min(-8.64e15).max(8.64e15),
    what: z.enum(supervisorKinds),
    mode: z.enum(['enforce', 'observe']).nullable(),
  }),
);

/** Long enough for processes that only check for a supervisor, in ms. */
const patienceMs = 300;

/** A new holder writes its name after locking; before, an old one may stand. Attempts, pause. */
const readAttempts = 10;
const readPauseMs = 50;

const holderPath = (path: string): string => `${path}.json`;

const readHolder = (path: string): SupervisorHolder | null => {
  const file = readJsonFile(holderPath(path));
  const parsed = holderSchema().safeParse(file.kind === 'value' ? file.value : null);
  return parsed.success ? parsed.data : null;
};

const holderThatLives = (path: string, isAlive: (holder: SupervisorHolder) => boolean): SupervisorHolder | null => {
  for (let attempt = 1; attempt <= readAttempts; attempt += 1) {
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) return holder;
    blockFor(readPauseMs);
  }
  return null;
};

const failure = (path: string, error: unknown): unknown => {
  const problem = storeProblemOf(error);
  if (problem === null) return error;
  const meaning = 'Without it Curfew cannot make sure that only one supervisor runs, so none is started.';
  return new StoreFailure({ problem, path, name: "The supervisor's lock", meaning }, { cause: error });
};

/**
 * Tries to become the one supervisor of a home. Of any number of attempts at once exactly one
 * succeeds. The kernel keeps the lock (see `lockFile`), so a crash can't leave it held; a file
 * beside it names the holder.
 * @param path of the lock
 * @param self the claimant
 * @param isAlive returns whether the process named in the file runs; only for naming the holder
 * @throws StoreFailure when the file can't be made or locked
 */
export const claimSupervisorLock = (
  path: string,
  self: SupervisorHolder,
  isAlive: (holder: SupervisorHolder) => boolean,
): SupervisorClaim => {
  try {
    const lock = lockFile(path, 'exclusive', patienceMs);
    if (lock === null) return { kind: 'taken', holder: holderThatLives(path, isAlive) };
    const file = fileAt(path);
    let released = false;
    const stillHeld = (): boolean => !released && file !== null && fileAt(path) === file;
    const tell = (mode: SupervisorHolder['mode']): void => {
      // Another process may be named there now.
      if (!stillHeld()) return;
      try {
        writeWholeFile(holderPath(path), `${JSON.stringify({ ...self, mode })}\n`);
      } catch {
        // A full disk, for example. The lock holds all the same; only its holder stays unnamed.
      }
    };
    tell(self.mode);
    return {
      kind: 'held',
      lock: {
        stillHeld,
        tell,
        release: () => {
          // The name first: once the lock is free the name could be the next holder's.
          if (stillHeld()) rmSync(holderPath(path), { force: true });
          released = true;
          lock.release();
        },
      },
    };
  } catch (error) {
    throw failure(path, error);
  }
};

/**
 * Returns the supervisor of a home now: null for none, `unknown` if it could not be read.
 * @throws StoreFailure when the lock can't be tried
 */
export const supervisorOf = (
  path: string,
  isAlive: (holder: SupervisorHolder) => boolean,
): SupervisorHolder | 'unknown' | null => {
  try {
    if (fileAt(path) === null) return null;
    const lock = lockFile(path, 'shared', 0);
    if (lock === null) return holderThatLives(path, isAlive) ?? 'unknown';
    lock.release();
    return null;
  } catch (error) {
    throw failure(path, error);
  }
};
