import { SaidError, say } from '../../../app/text/say.ts';
import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, readSync, writeSync } from 'node:fs';
import { temporaryFolder } from '../../os/files/owned-place.ts';
import { dirname, join } from 'node:path';
import { type Saying, type Spared, type SparedFact, factKey, sparedOf } from '../../../app/jobs/spared/spared.ts';
import type { JobId } from '../../../app/model/job.ts';
import type { BootId } from '../../../app/process/identity.ts';
import { openRegularFile } from '../../os/files/own-file.ts';
import { lockFile } from '../database/file-lock.ts';
import { fileAt, syncFolder } from '../database/set-aside.ts';
import { type Notify, StoreFailure, storeProblemOf } from '../database/store-failure.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import type { Places } from '../places.ts';
import { parsedLine, type SparedLine, sparesLess, supersedes, writtenLine } from './spared-line.ts';

/** Longer names are refused by file systems; bytes. */
const maxNameBytes = 200;

const isOwnFolder = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
};

/**
 * The folder of the user for this boot, outside of the home: what a restored home lacks is there.
 * On Linux not from the environment, which a timer's pass has another one of. null: there is none.
 * https://specifications.freedesktop.org/basedir-spec/latest/ (XDG_RUNTIME_DIR)
 */
const bootFolder = (): string | null => {
  const uid = process.getuid?.() ?? 0;
  const runtime = `/run/user/${uid}`;
  const folder = isOwnFolder(runtime) ? join(runtime, 'curfew') : join(temporaryFolder(), `curfew-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return null;
  }
  return isOwnFolder(folder) ? folder : null;
};

/** Returns the paths of the copies of what is spared: one in the home, one that a boot lasts. */
export const sparedPlaces = ({ state }: Pick<Places, 'state'>): readonly string[] => {
  const own = join(state, 'spared.jsonl');
  const folder = bootFolder();
  return folder === null ? [own] : [own, join(folder, `${encodeURIComponent(state).slice(-maxNameBytes)}.jsonl`)];
};

/** From this size on a file is compacted, where most of its lines are superseded; bytes. */
const compactFromBytes = 262_144;
const supersededShare = 4;
/** No list of Curfew's has as much: what lies there instead is not read. Bytes. */
const maxBytes = 64 * 1024 * 1024;
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
/** Boots kept when compacting, latest written: machines and containers may share the file. */
const maxBoots = 64;
/** Their lines, together; those of the boot that was written last are kept in any case. */
const maxKept = 65_536;

/**
 * From this number of facts of a boot on, those that are over are forgotten. A process that carries
 * marks adds one with each program that it starts; below it all are kept, since a copy of a process
 * may outlive it.
 */
const maxFacts = 8192;

/** The lines that count, by boot and key. */
export type Lines = ReadonlyMap<string, ReadonlyMap<string, SparedLine>>;

const readFrom = (descriptor: number, from: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
};

const writeAll = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
};

/**
 * One copy of what is spared: a file to which lines are only appended. A torn or damaged line is
 * skipped, and whatever is at the path is read: lines of other boots and machines stay.
 */
export class SparedCopy {
  readonly #path: string;
  #file: string | null = null;
  #readBytes = 0;
  #lines = 0;
  readonly #known = new Map<string, Map<string, SparedLine>>();

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads what was appended since.
   * @throws the file system's error; no file is none
   */
  read(): Lines {
    const file = fileAt(this.#path);
    if (file !== this.#file) this.#forget(file);
    if (file === null) return this.#known;
    const descriptor = openRegularFile(this.#path, constants.O_RDONLY);
    try {
      const { size } = fstatSync(descriptor);
      if (size > maxBytes)
        throw Object.assign(new SaidError(say('it has {bytes} bytes, too many for such a list', { bytes: size })), {
          code: 'EFBIG',
          syscall: 'read',
        });
      // Shorter than before: it is an older copy, written in place.
      if (size < this.#readBytes) this.#forget(file);
      this.#take(readFrom(descriptor, this.#readBytes));
    } finally {
      closeSync(descriptor);
    }
    return this.#known;
  }

  /**
   * Appends lines durably.
   * @throws the file system's error; a part may be on the disk then, which is skipped
   */
  append(lines: readonly SparedLine[]): void {
    if (lines.length === 0) return;
    const text = lines.map(writtenLine).join('');
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Another process may put a compacted file in place meanwhile: then it is written into that.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const isNew = fileAt(this.#path) === null;
      const descriptor = openRegularFile(this.#path, appending, 0o600);
      try {
        const { size, dev, ino } = fstatSync(descriptor, { bigint: true });
        const isTorn = size > 0n && readFrom(descriptor, Number(size) - 1).at(0) !== 10;
        writeAll(descriptor, isTorn ? `\n${text}` : text);
        fsyncSync(descriptor);
        if (fileAt(this.#path) === `${dev}:${ino}`) {
          if (isNew) syncFolder(dirname(this.#path));
          break;
        }
      } finally {
        closeSync(descriptor);
      }
    }
    this.read();
    this.#compact();
  }

  /** Leaves out lines of one boot, in the file once that is compacted. Throws as `append` does. */
  drop(boot: string, keys: readonly string[]): void {
    const known = this.#known.get(boot);
    for (const key of keys) known?.delete(key);
    this.#compact();
  }

  #forget(file: string | null): void {
    this.#file = file;
    this.#readBytes = 0;
    this.#lines = 0;
    this.#known.clear();
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10) + 1;
    this.#readBytes += end;
    for (const text of bytes.toString('utf8', 0, end).split('\n')) {
      if (text === '') continue;
      this.#lines += 1;
      const one = parsedLine(text);
      if (one === null) continue;
      const known = this.#known.get(one.boot) ?? new Map<string, SparedLine>();
      // The boot that was written last comes last.
      this.#known.delete(one.boot);
      this.#known.set(one.boot, known);
      const key = factKey(one.fact);
      if (supersedes(one, known.get(key))) known.set(key, one);
    }
  }

  /** Leaves out superseded lines. What another process appends meanwhile is carried over. */
  #compact(): void {
    let left = maxKept;
    const kept = [...this.#known.values()]
      .slice(-maxBoots)
      .toReversed()
      .filter(({ size }, at) => (left -= size) >= 0 || at === 0)
      .toReversed()
      .flatMap((lines) => [...lines.values()]);
    if (this.#readBytes < compactFromBytes || this.#lines < kept.length * supersededShare) return;
    const lock = lockFile(`${this.#path}.lock`, 'exclusive', 0);
    if (lock === null) return;
    try {
      const before = openRegularFile(this.#path, constants.O_RDONLY);
      try {
        const { dev, ino } = fstatSync(before, { bigint: true });
        if (`${dev}:${ino}` !== this.#file) return;
        const end = this.#readBytes;
        writeWholeFile(this.#path, kept.map(writtenLine).join(''));
        const late = readFrom(before, end).toString('utf8');
        this.read();
        this.append(late.split('\n').flatMap((text) => parsedLine(text) ?? []));
      } finally {
        closeSync(before);
      }
    } finally {
      lock.release();
    }
  }
}

const name = 'The list of what is spared';
const meaning = 'What you keep may be forgotten with this process.';

/** The birth of a file ends its identity; see `birthOf`. */
const hasNoBirth = (identity: string): boolean => identity.endsWith(':');
const withoutBirth = (identity: string): string => identity.slice(0, identity.lastIndexOf(':'));

/** Where no birth was told before, any is right; where one was, only that. */
const isSameLedger = (before: string, now: string): boolean =>
  before === now || (hasNoBirth(before) && withoutBirth(before) === withoutBirth(now));

/**
 * What spares processes, by boot, in append-only files of its own: what the user keeps or said is
 * theirs, what was seen carrying `CURFEW_KEEP=1`, what was witnessed as the user's. There is more
 * than one copy, so that the loss of any one file forgets nothing: what one copy lacks is written
 * into it again. Works in memory where no copy can be used.
 */
export class SparedFile {
  readonly #copies: readonly { readonly path: string; readonly copy: SparedCopy }[];
  readonly #notify: Notify;
  readonly #known = new Map<string, Map<string, SparedLine>>();
  readonly #told = new Set<string>();

  /**
   * @param paths of the copies, that in the home first: the others may lie where a process in a
   *   sandbox can write, so they add to what is spared and take nothing back; none: everything is
   *   forgotten with this object
   * @param notify gets failures to use a copy, once each
   */
  constructor(paths: readonly string[], notify: Notify) {
    this.#copies = paths.map((path) => ({ path, copy: new SparedCopy(path) }));
    this.#notify = notify;
  }

  /** Returns what is spared in a boot, with what other processes have written. */
  of(boot: BootId): Spared {
    this.#read();
    return sparedOf(this.#known.get(boot)?.values() ?? []);
  }

  /**
   * Notes which ledger is in use, and returns what is spared. Another one than before in this boot,
   * one that can't be read (null), or a copy of this list that can't be read while the others know
   * nothing of this boot, means that something was lost.
   */
  meet(now: Saying, ledger: string | null): Spared {
    const isWhole = this.#read();
    const known = this.#known.get(now.bootId)?.get('ledger')?.fact;
    if (ledger === null) return { ...this.of(now.bootId), lostAtTicks: now.nowTicks };
    const isSame = known?.kind === 'ledger' && isSameLedger(known.identity, ledger);
    const isFuller = isSame && hasNoBirth(known.identity) && !hasNoBirth(ledger);
    if (!isSame || isFuller)
      this.note(now, [
        ...((known === undefined && isWhole) || isSame ? [] : [{ kind: 'lost' } as const]),
        { kind: 'ledger', identity: ledger },
      ]);
    return sparedOf(this.#known.get(now.bootId)?.values() ?? []);
  }

  /**
   * Writes down what is not known yet. Never throws; what can't be written is tried again.
   * @param isOver tells the facts of this boot that spare nothing any more
   */
  note(now: Saying, facts: readonly SparedFact[], isOver?: (fact: SparedFact) => boolean): void {
    for (const fact of facts) {
      const known = this.#known.get(now.bootId)?.get(factKey(fact))?.fact;
      const isSaidAnew = fact.kind === 'ledger' || fact.kind === 'lost';
      if (known === undefined || isSaidAnew) this.#learn({ boot: now.bootId, atTicks: now.nowTicks, fact });
    }
    this.#write();
    if (isOver !== undefined) this.#drop(now.bootId, isOver);
  }

  #drop(boot: BootId, isOver: (fact: SparedFact) => boolean): void {
    const known = this.#known.get(boot);
    if (known === undefined || known.size < maxFacts) return;
    const over = [...known].flatMap(([key, { fact }]) => (isOver(fact) ? [key] : []));
    if (over.length < maxFacts / 2) return;
    for (const key of over) known.delete(key);
    for (const { path, copy } of this.#copies) {
      try {
        copy.drop(boot, over);
      } catch (error) {
        this.#fail(path, error);
      }
    }
  }

  /**
   * Writes down what the user says.
   * @throws StoreFailure when no copy takes it; it still holds in this process
   */
  say(now: Saying, facts: readonly SparedFact[]): void {
    for (const fact of facts) {
      const before = this.#known.get(now.bootId)?.get(factKey(fact));
      // Two sayings of one look: the later one counts.
      const atTicks = before === undefined ? now.nowTicks : Math.max(now.nowTicks, before.atTicks + 1e-3);
      this.#learn({ boot: now.bootId, atTicks, fact });
    }
    const failure = this.#write();
    if (failure !== null) throw failure;
  }

  /** Takes back that a job is kept, or that its processes are the user's. Throws as `say` does. */
  takeBack(now: Saying, job: JobId): void {
    const mine = this.of(now.bootId).mine.filter((one) => one.job === job);
    this.say(now, [
      { kind: 'keep', job, keep: null },
      ...mine.map((one) => ({ kind: 'mine', ...one, mine: false }) as const),
    ]);
  }

  #learn(line: SparedLine, isOfHome = true): void {
    const known = this.#known.get(line.boot) ?? new Map<string, SparedLine>();
    this.#known.set(line.boot, known);
    const key = factKey(line.fact);
    const before = known.get(key);
    if (!supersedes(line, before)) return;
    if (isOfHome || before === undefined || !sparesLess(line.fact, before.fact)) known.set(key, line);
  }

  /** Returns whether every copy that is there could be read. */
  #read(): boolean {
    let isWhole = true;
    for (const [at, { path, copy }] of this.#copies.entries()) {
      try {
        for (const lines of copy.read().values()) for (const line of lines.values()) this.#learn(line, at === 0);
      } catch (error) {
        isWhole = false;
        this.#fail(path, error);
      }
    }
    this.#write();
    return isWhole;
  }

  /** Writes what each copy lacks. Returns why, where none could be written. */
  #write(): StoreFailure | null {
    let failure: StoreFailure | null = null;
    let isWritten = this.#copies.length === 0;
    for (const { path, copy } of this.#copies) {
      try {
        const there = copy.read();
        const lacking = [...this.#known].flatMap(([boot, lines]) =>
          [...lines].flatMap(([key, line]) => (supersedes(line, there.get(boot)?.get(key)) ? [line] : [])),
        );
        copy.append(lacking);
        isWritten = true;
      } catch (error) {
        failure = this.#fail(path, error);
      }
    }
    return isWritten ? null : failure;
  }

  #fail(path: string, error: unknown): StoreFailure {
    const problem = storeProblemOf(error);
    if (problem === null) throw error;
    const failure = new StoreFailure({ problem, path, name, meaning }, { cause: error });
    if (!this.#told.has(path)) this.#notify({ kind: 'in-memory', name, path, reason: failure.said });
    this.#told.add(path);
    return failure;
  }
}
