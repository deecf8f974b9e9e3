import { closeSync, constants, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { renameOver, writeWholeFile } from '../../store/files/whole-file.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { runKeep, runRecord, membersNote, type RunRecord, type MembersNote } from './record.ts';
import { type RunId, asRunId } from '../../../app/process/identity.ts';
import { runIdsIn, unfinishedIn } from './unfinished.ts';
import { openRegularFile, readBoundedText } from '../../os/files/own-file.ts';

const dayMs = 86_400_000;

/** Removes folders of runs ended over `days` ago; returns how many. Failures are retried later. */
export const pruneRuns = (runs: string, days: number, nowMs: number): number => {
  const old = (record: RunRecord): boolean =>
    record.end !== null && Date.parse(record.end.at) < nowMs - days * dayMs && record.end.survivors.length === 0;
  const gone = readRuns(runs).filter(old);
  for (const { id } of gone) new RunFolder(runs, id).remove();
  return gone.length;
};

/** 32 characters without look-alikes, so that five random bits choose one without bias. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz';
const length = 10;

/** Returns a new id of 50 random bits. */
export const newRunId = (): RunId =>
  asRunId([...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''));

const write = (path: string, how: number, text: string): void => {
  const descriptor = openRegularFile(path, constants.O_WRONLY | constants.O_CREAT | how, 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};

export class RunFolder {
  readonly path: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: string;
  readonly meta: string;
  readonly #unfinished: string;
  readonly #keep: string;
  readonly #seen: string;
  readonly #signals: string;

  constructor(runs: string, id: RunId) {
    this.path = join(runs, id);
    this.#unfinished = join(unfinishedIn(runs), id);
    this.stdout = join(this.path, 'stdout.log');
    this.stderr = join(this.path, 'stderr.log');
    this.exitCode = join(this.path, 'exit_code');
    this.meta = join(this.path, 'meta.json');
    this.#keep = join(this.path, 'keep.json');
    this.#seen = join(this.path, 'seen.json');
    this.#signals = join(this.path, 'signals.jsonl');
  }

  /** Held by the Curfew that ends this abandoned run. */
  get lock(): string {
    return join(this.path, 'ending.lock');
  }

  /** Makes the folder, the run unfinished. Throws if it exists or can't be made. */
  create(runs: string): void {
    mkdirSync(unfinishedIn(runs), { recursive: true, mode: 0o700 });
    mkdirSync(this.path, { mode: 0o700 });
    closeSync(openSync(this.#unfinished, 'wx', 0o600));
  }

  /** Returns false if the folder was never made or has been removed. */
  exists(): boolean {
    return existsSync(this.path);
  }

  /** Marks the run as finished: everything about it is written. */
  finished(): void {
    rmSync(this.#unfinished, { force: true });
  }

  /**
   * Writes `meta.json` atomically.
   * @throws the file system's error
   */
  write(record: RunRecord): void {
    writeWholeFile(this.meta, `${JSON.stringify(record, null, 2)}\n`);
  }

  /** Returns `meta.json`, or null if it is missing or invalid. */
  read(): RunRecord | null {
    const file = readJsonFile(this.meta);
    const parsed = file.kind === 'value' ? runRecord().safeParse(file.value) : null;
    return parsed?.success === true ? parsed.data : null;
  }

  /**
   * Puts off the run's limits until a moment of `awakeNowSeconds` in this boot, at most to its hard
   * cap; null makes them count again.
   * @throws the file system's error
   */
  writeKeep(untilAwakeSeconds: number | null): void {
    if (untilAwakeSeconds === null) rmSync(this.#keep, { force: true });
    else writeWholeFile(this.#keep, `${JSON.stringify({ untilAwakeSeconds })}\n`);
  }

  /** Returns until when the limits are put off, see `writeKeep`; null: they are not. */
  readKeep(): number | null {
    const file = readJsonFile(this.#keep);
    const parsed = file.kind === 'value' ? runKeep().safeParse(file.value) : null;
    return parsed?.data?.untilAwakeSeconds ?? null;
  }

  /** Records the members. Not synced to disk: after a power failure none of them lives. */
  writeMembers(note: MembersNote): void {
    const beside = `${this.#seen}.new`;
    write(beside, constants.O_TRUNC, JSON.stringify(note));
    renameOver(beside, this.#seen);
  }

  /** Returns the members recorded last; null if the file is missing or invalid. */
  readMembers(): MembersNote | null {
    const file = readJsonFile(this.#seen);
    const parsed = file.kind === 'value' ? membersNote().safeParse(file.value) : null;
    return parsed?.success === true ? parsed.data : null;
  }

  /**
   * Appends a line about signals: first the intent, then the result.
   * @throws the file system's error
   */
  note(line: unknown): void {
    write(this.#signals, constants.O_APPEND, `${JSON.stringify(line)}\n`);
  }

  /** Returns whether signals were recorded; such a run is kept. */
  hasNotes(): boolean {
    return existsSync(this.#signals);
  }

  /** Writes `exit_code` atomically, replacing what another program may have written. */
  writeExitCode(status: number): void {
    writeWholeFile(this.exitCode, `${status}\n`);
  }

  readExitCode(): number | null {
    try {
      const text = readBoundedText(this.exitCode).trim();
      // Windows has statuses of 32 bits.
      return /^\d{1,10}$/u.test(text) ? Number(text) : null;
    } catch {
      return null;
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.finished();
  }
}

/** Returns all recorded runs, oldest first, foreground ones while they last. Skips unreadable. */
export const readRuns = (runs: string): readonly RunRecord[] =>
  runIdsIn(runs)
    .map((id) => new RunFolder(runs, id).read())
    .filter((record) => record !== null)
    .toSorted((left, right) => left.startedAt.localeCompare(right.startedAt));
