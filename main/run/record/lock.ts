import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { asBootId, asPid, type ProcessIdentity } from '../../../app/process/identity.ts';
import { isStill, type IdentityReader } from '../../os/processes/signaller.ts';
import { lockFile, type FileLock } from '../../store/database/file-lock.ts';
import { asRunId, runIdPattern, type RunId } from '../../../app/process/run-id.ts';

/** What stands in a lock file: who holds it. */
const holder = z.object({
  pid: z.int().positive(),
  startTicks: z.number(),
  bootId: z.string(),
  host: z.string(),
  run: z.string().regex(runIdPattern).transform(asRunId),
  command: z.string(),
  since: z.iso.datetime(),
});

/** See `holder`. */
export type LockHolder = z.infer<typeof holder>;

/** A lock that is held until it is released. */
export interface RunLock {
  readonly path: string;
  /** Removes the file, if it is still ours. */
  release(): void;
}

/** What became of an attempt. `by` is null when the file says nothing that Curfew understands. */
export type LockAttempt =
  | { readonly taken: true; readonly lock: RunLock }
  | { readonly taken: false; readonly by: LockHolder | null; readonly why: HeldWhy; readonly text: string };

/**
 * Why a lock is not taken over. `lives`: its holder was seen. In all other cases the holder may live: it belongs to another machine
 * (`elsewhere`), another boot or pid namespace, this machine hides its processes or does not tell its boot (`unseen`), or the file
 * is in no form of `curfew run` (`foreign`).
 */
export type HeldWhy = 'lives' | 'elsewhere' | 'another-boot' | 'another-namespace' | 'unseen' | 'foreign';

/** What a lock is taken with. */
export interface LockOptions {
  readonly path: string;
  readonly self: ProcessIdentity;
  readonly run: RunId;
  /** Redacted. */
  readonly command: string;
  readonly reader: IdentityReader;
  /** Ends what a dead holder left running; called before its lock is taken over. False while another Curfew is at it. */
  readonly endAbandoned: (run: RunId) => Promise<boolean>;
}

/** How long others may take to replace a dead holder's file, milliseconds; it takes them one. */
const patienceMs = 10_000;
/** Pause while another Curfew ends what the holder left, milliseconds. With the rounds, that is longer than any grace. */
const busyPauseMs = 50;
/** More rounds than races there can be in practice: more than eight minutes with the pauses. */
const maxRounds = 10_000;

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** The file's real place, so that two names of one file are one lock. The file itself must not be a link. */
const placeOf = (path: string): string => {
  const absolute = resolve(path);
  return join(realpathSync(dirname(absolute)), basename(absolute));
};

const readText = (path: string): string | null => {
  try {
    if (!lstatSync(path).isFile()) throw new Error(`${path} is no regular file, so it can't be a lock.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
};

const holderIn = (text: string): LockHolder | null => {
  try {
    const parsed = holder.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** The boot id of a kernel, and on Linux the inode of a pid namespace: see `readBootId`. */
const linuxBoot = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/\d+$/u;

/** False where the machine names neither its boot nor the pid namespace for certain: then equal names prove nothing. */
const namesItsBoot = (bootId: string): boolean => process.platform !== 'linux' || linuxBoot.test(bootId);

const kernelBoot = (bootId: string): string => bootId.split('/', 1).join('');

/**
 * Null when the holder is proved dead: it was in this boot and this pid namespace, and no process has its pid and start time. Else why
 * that is not proved. A boot id that differs proves nothing: the folder may be shared with another machine.
 */
const whyHeld = (found: LockHolder, reader: IdentityReader): HeldWhy | null => {
  if (found.host !== hostname()) return 'elsewhere';
  if (!namesItsBoot(reader.bootId)) return 'unseen';
  if (found.bootId !== reader.bootId)
    return kernelBoot(found.bootId) === kernelBoot(reader.bootId) ? 'another-namespace' : 'another-boot';
  return isStill(reader, { bootId: asBootId(found.bootId), pid: asPid(found.pid), startTicks: found.startTicks })
    ? 'lives'
    : null;
};

/** Where others' processes are hidden (hidepid), one that can't be seen may live: then only our own count as gone. */
const isSeen = (place: string, reader: IdentityReader): boolean => {
  const own = process.getuid?.() ?? 0;
  return own === 0 || reader.read(asPid(1)) !== null || lstatSync(place, { throwIfNoEntry: false })?.uid === own;
};

/** Who took that lock for that run, when it still stands there and its holder is dead for certain; else null. Throws the file system's error. */
export const deadHolderOf = (path: string, run: RunId, reader: IdentityReader): LockHolder | null => {
  const text = readText(path);
  const found = text === null ? null : holderIn(text);
  return found?.run === run && whyHeld(found, reader) === null && isSeen(path, reader) ? found : null;
};

/**
 * Held for the moment in which a dead holder's file is replaced or removed, and by the kernel, so that nobody can die with it. One place for all of a person's
 * Curfews, whatever their CURFEW_HOME. Creating the file needs no such thing: link(2) fails when it is there.
 */
const mutexFor = (place: string): FileLock => {
  const folder = join(tmpdir(), `curfew-locks-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${folder} belongs to somebody else, so locks can't be taken over safely. Remove it.`);
  const name = createHash('sha256').update(place).digest('hex').slice(0, 32);
  const mutex = lockFile(join(folder, `${name}.lock`), 'exclusive', patienceMs);
  if (mutex === null)
    throw new Error(`${place} is being taken over by another Curfew, and that doesn't end. Try again.`);
  return mutex;
};

/** Removes a lock file that this run wrote, if it is still there. For a run whose `curfew run` is gone, too. */
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
    renameSync(beside, place);
    return true;
  } finally {
    mutex.release();
  }
};

/**
 * Takes a lock for a run: the file appears with its contents or not at all, is refused unless its holder is proved dead, and then taken
 * over after what that one left running was ended. Throws the file system's error when the folder is missing or can't be written.
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
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const text = readText(place);
      if (text === null) continue;
      const by = holderIn(text);
      // A bare pid is no identity: it may be from a container or another machine, or from before.
      if (by === null) return { taken: false, by, why: 'foreign', text };
      const why = whyHeld(by, reader) ?? (isSeen(place, reader) ? null : 'unseen');
      if (why !== null) return { taken: false, by, why, text };
      if (!(await options.endAbandoned(by.run))) {
        await sleep(busyPauseMs);
        continue;
      }
      if (replaceDead(place, text, beside)) return { taken: true, lock };
    }
    throw new Error(`${place} changes hands so fast that it could not be taken. Try again.`);
  } finally {
    rmSync(beside, { force: true });
  }
};
