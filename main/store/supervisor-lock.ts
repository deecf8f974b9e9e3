import { rmSync } from 'node:fs';
import { z } from 'zod';
import { lockFile } from './database/file-lock.ts';
import { readJsonFile } from './files/json-file.ts';
import { fileAt } from './database/set-aside.ts';
import { StoreFailure, storeProblemOf } from './database/store-failure.ts';
import { writeWholeFile } from './files/whole-file.ts';

/** Ways to run a supervisor. */
const supervisorKinds = ['watch', 'web', 'app'] as const;

/** See `supervisorKinds`. */
export type SupervisorKind = (typeof supervisorKinds)[number];

/** Who supervises. */
export interface SupervisorHolder {
  readonly pid: number;
  /** Start time of that process, in the kernel's ticks; see `ProcessIdentity`. */
  readonly startTicks: number;
  /** Wall clock, milliseconds. */
  readonly sinceMs: number;
  readonly what: SupervisorKind;
  /** null: the person has not chosen yet, so it observes. */
  readonly mode: 'enforce' | 'observe' | null;
}

/** The right to be the supervisor of a home, held until it is released or this process ends, however it ends. */
export interface SupervisorLock {
  /**
   * False after the release, and when somebody removed the file: another supervisor could start then without knowing of this one, so
   * this one has to end (or release and try again).
   */
  readonly stillHeld: () => boolean;
  /** Says in which mode it goes on. */
  readonly tell: (mode: SupervisorHolder['mode']) => void;
  readonly release: () => void;
}

/** What came of trying to become the supervisor. `holder` is null when it could not be read who is. */
export type SupervisorClaim =
  | { readonly kind: 'held'; readonly lock: SupervisorLock }
  | { readonly kind: 'taken'; readonly holder: SupervisorHolder | null };

const holderSchema = z.object({
  pid: z.number().int().positive(),
  startTicks: z.number().nonnegative(),
  sinceMs: z.number().min(-8.64e15).max(8.64e15),
  what: z.enum(supervisorKinds),
  mode: z.enum(['enforce', 'observe']).nullable(),
});

/** Long enough for those who only look whether a supervisor runs, milliseconds. */
const patienceMs = 300;

/** The one who has the lock says who it is right afterwards; until then an old name may stand there. So many times, so long apart. */
const readAttempts = 10;
const readPauseMs = 50;

const holderPath = (path: string): string => `${path}.json`;

const readHolder = (path: string): SupervisorHolder | null => {
  const file = readJsonFile(holderPath(path));
  const parsed = holderSchema.safeParse(file.kind === 'value' ? file.value : null);
  return parsed.success ? parsed.data : null;
};

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const holderThatLives = (path: string, isAlive: (holder: SupervisorHolder) => boolean): SupervisorHolder | null => {
  for (let attempt = 1; attempt <= readAttempts; attempt += 1) {
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) return holder;
    pause(readPauseMs);
  }
  return null;
};

const failure = (path: string, error: unknown): unknown => {
  const problem = storeProblemOf(error);
  if (problem === null) return error;
  const meaning = 'Without it nobody can make sure that only one supervisor runs, so none is started.';
  return new StoreFailure({ problem, path, name: "The supervisor's lock", meaning }, { cause: error });
};

/**
 * Tries to become the one supervisor of a home. Of any number that try at once exactly one gets it. The kernel keeps the lock (see
 * `lockFile`), so no crash leaves it stuck; a file beside it says who holds it.
 * @param path of the lock
 * @param self who is trying
 * @param isAlive whether the process that stands in the file runs; only for saying who holds it
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
      // Another one's name may stand there.
      if (!stillHeld()) return;
      try {
        writeWholeFile(holderPath(path), `${JSON.stringify({ ...self, mode })}\n`);
      } catch {
        // A full disk, say. The lock holds all the same; others can only not be told who has it.
      }
    };
    tell(self.mode);
    return {
      kind: 'held',
      lock: {
        stillHeld,
        tell,
        release: () => {
          // The name first: once the lock is free it could be the next one's.
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
 * Who supervises a home now: null when nobody does, `unknown` when somebody does that could not be read.
 * @throws StoreFailure when the lock can't be looked at
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
