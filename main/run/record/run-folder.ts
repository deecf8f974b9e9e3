import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../../store/files/json-file.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import { runKeep, runRecord, membersNote, type RunRecord, type MembersNote } from './record.ts';
import type { RunId } from '../../../app/process/run-id.ts';
import { runIdsIn, unfinishedIn } from './unfinished.ts';

/** Where the files of one run are. */
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

  /** Held by whoever ends a run whose `curfew run` is gone. */
  get lock(): string {
    return join(this.path, 'ending.lock');
  }

  /** Where a background supervisor says what went wrong. */
  get log(): string {
    return join(this.path, 'supervisor.log');
  }

  /** Makes the folder, and notes that the run has not ended. Throws when it is there already, or can't be made. */
  create(runs: string): void {
    mkdirSync(unfinishedIn(runs), { recursive: true, mode: 0o700 });
    mkdirSync(this.path, { mode: 0o700 });
    closeSync(openSync(this.#unfinished, 'wx', 0o600));
  }

  /** False when it was never made or has been removed. */
  exists(): boolean {
    return existsSync(this.path);
  }

  /** Notes that the run has ended and that everything about it is written. */
  finished(): void {
    rmSync(this.#unfinished, { force: true });
  }

  /** Writes `meta.json` whole. Throws the file system's error. */
  write(record: RunRecord): void {
    writeWholeFile(this.meta, `${JSON.stringify(record, null, 2)}\n`);
  }

  /** Reads `meta.json`; null when it is missing or makes no sense. */
  read(): RunRecord | null {
    const file = readJsonFile(this.meta);
    const parsed = file.kind === 'value' ? runRecord.safeParse(file.value) : null;
    return parsed?.success === true ? parsed.data : null;
  }

  /** Puts the run's limits off until this wall clock, milliseconds, at most to its hard cap; null: they count again. Throws the file system's error. */
  writeKeep(untilMs: number | null): void {
    if (untilMs === null) rmSync(this.#keep, { force: true });
    else writeWholeFile(this.#keep, `${JSON.stringify({ untilMs })}\n`);
  }

  /** Until when its limits were put off, wall clock in milliseconds; null: they were not. */
  readKeep(): number | null {
    const file = readJsonFile(this.#keep);
    const parsed = file.kind === 'value' ? runKeep.safeParse(file.value) : null;
    return parsed?.data?.untilMs ?? null;
  }

  /** Notes who belongs to the run. Not forced onto the disk: after a loss of power nobody of them lives. */
  writeMembers(note: MembersNote): void {
    const beside = `${this.#seen}.new`;
    writeFileSync(beside, JSON.stringify(note), { mode: 0o600 });
    renameSync(beside, this.#seen);
  }

  /** Who belonged to the run when that was last noted; nobody when it can't be read. */
  readMembers(): MembersNote {
    const file = readJsonFile(this.#seen);
    const parsed = file.kind === 'value' ? membersNote.safeParse(file.value) : null;
    return parsed?.success === true ? parsed.data : { members: [] };
  }

  /** Adds a line about signals: first what is going to be sent, then what became of it. Throws the file system's error. */
  note(line: unknown): void {
    appendFileSync(this.#signals, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** True when signals were noted, which are worth keeping. */
  hasNotes(): boolean {
    return existsSync(this.#signals);
  }

  /** Writes `exit_code`, whole, over whatever somebody else may have put there. */
  writeExitCode(status: number): void {
    writeWholeFile(this.exitCode, `${status}\n`);
  }

  /** The number in `exit_code`; null when there is none. */
  readExitCode(): number | null {
    try {
      const text = readFileSync(this.exitCode, 'utf8').trim();
      return /^\d{1,3}$/u.test(text) ? Number(text) : null;
    } catch {
      return null;
    }
  }

  /** Removes everything. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.finished();
  }
}

/**
 * All runs that have a record, oldest first: those started with `--background`, and those in the foreground while they last. What can't be read is left out.
 */
export const readRuns = (runs: string): readonly RunRecord[] =>
  runIdsIn(runs)
    .map((id) => new RunFolder(runs, id).read())
    .filter((record) => record !== null)
    .toSorted((left, right) => left.startedAt.localeCompare(right.startedAt));
