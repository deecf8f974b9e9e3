import { type Pid, asPid } from '../../../../app/process/identity.ts';
import { type ProcessRow, hasEnded } from '../../../../app/process/row.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import type { Steps } from '../../../../app/process/steps.ts';
import { type ReusedPids, isReusable } from './pid-cursor.ts';
import type { CachedProcess, RowReader } from './row-reader.ts';

/** Each process is read again within these scans: 150 seconds at 5 seconds a scan. */
export const rotation = 30;

/**
 * Seconds after its start during which a process is read at every scan: between fork and exec it
 * shows its parent's argv and environment.
 */
export const youngSeconds = 10;

export interface LookAt {
  /** All listed pids, in the order of the table. */
  readonly pids: Iterable<number>;
  readonly watched: ReadonlySet<Pid>;
  readonly reused: ReusedPids;
  /** False where a watched process is known not to have run since this was asked of it before. */
  readonly hasRun: (pid: number) => boolean;
  /** The present, in ticks. */
  readonly nowTicks: number;
  readonly ticksPerSecond: number;
}

/**
 * The known processes, updated at each scan. Of the known ones these are read again: watched ones
 * that have run; young ones; those whose pid the kernel may have reused; those whose parent has
 * ended (they get another parent) or that have a new child (a process that starts something may
 * just have exec'ed); and in rotation a thirtieth of the rest, because a process may exec or
 * change its group or user without any of that, and because pids can be forced (CRIU,
 * ns_last_pid).
 */
export class KnownProcesses {
  readonly #rows: Pick<RowReader, 'read'>;
  readonly #known = new Map<number, CachedProcess>();
  #table: ReadonlyMap<Pid, ProcessRow> = new Map();
  #look = 0;
  #denied = 0;
  #missed = 0;
  #since: NonNullable<ProcessTable['since']> | null = null;
  /** Ticks of the scan before; null before the first. */
  #lookedTicks: number | null = null;
  /** The cache differs from the table; stays true when a scan fails midway. */
  #changed = false;
  /** Pids of processes that have ended or were replaced: their children have another parent. */
  readonly #ended = new Set<number>();
  /** Pids of processes that have new children. */
  readonly #parents = new Set<number>();

  constructor(rows: Pick<RowReader, 'read'>) {
    this.#rows = rows;
  }

  /** Returns the rows of the last scan; the same map as before if nothing changed. */
  get rows(): ReadonlyMap<Pid, ProcessRow> {
    return this.#table;
  }

  /** Returns how many listed processes exist but could not be read at the last scan. */
  get denied(): number {
    return this.#denied;
  }

  /** Returns how many processes ended between listing and reading at the last scan. */
  get missed(): number {
    return this.#missed;
  }

  /** What is known of the time since the scan before, see `ProcessTable`. */
  get since(): Pick<ProcessTable, 'since'> {
    return this.#since === null ? {} : { since: this.#since };
  }

  /** Returns what is known of a process since the last scan. */
  get(pid: number): CachedProcess | undefined {
    return this.#known.get(pid);
  }

  /**
   * Updates the cache, a step for each process. Another update may begin before the last step.
   * @throws ProcessTableUnreadable; then `rows` stays as it was, and the next scan catches up
   */
  *updating(look: LookAt): Steps<void> {
    this.#look++;
    this.#denied = 0;
    this.#missed = 0;
    let forced = false;
    for (const pid of this.#listed(look.pids)) {
      if (this.#read(pid)) forced ||= !isReusable(look.reused, pid);
      yield;
    }
    // A new pid out of sequence was forced, so any other may have been.
    const reused: ReusedPids = forced ? { kind: 'all' } : look.reused;
    this.#since =
      this.#lookedTicks === null
        ? null
        : { nowTicks: this.#lookedTicks, mayBeReused: (pid) => isReusable(reused, pid) };
    this.#lookedTicks = look.nowTicks;
    yield* this.#readDue(look, reused);
    yield* this.#readRelatives();
    this.#publish(look.pids);
  }

  /**
   * Reads what a later listing has beside the one of the last update, as part of the same scan. If
   * `missed` is 0 after it, no process that lived at that listing is missing from `rows`: whatever
   * forks and exits all the while has its newest child there.
   */
  *catchingUp(pids: Iterable<number>): Steps<void> {
    this.#look++;
    // What was refused is no known process, so it is asked and counted again.
    this.#denied = 0;
    this.#missed = 0;
    for (const pid of this.#listed(pids)) {
      this.#read(pid);
      yield;
    }
    yield* this.#readRelatives();
    this.#publish(pids);
  }

  /** Takes over a listing: forgets what is not listed, and returns the unknown pids. */
  #listed(pids: Iterable<number>): readonly number[] {
    const newcomers: number[] = [];
    for (const pid of pids) {
      const cached = this.#known.get(pid);
      if (cached === undefined) newcomers.push(pid);
      else cached.listedAt = this.#look;
    }
    for (const { listedAt, row } of this.#known.values()) if (listedAt !== this.#look) this.#forget(row.pid);
    return newcomers;
  }

  #publish(pids: Iterable<number>): void {
    if (this.#changed) this.#table = new Map(this.#inOrder(pids));
    this.#changed = false;
  }

  *#readDue(look: LookAt, reused: ReusedPids): Steps<void> {
    const youngSince = look.nowTicks - youngSeconds * look.ticksPerSecond;
    for (const { readAt, row } of this.#known.values()) {
      if (readAt === this.#look) continue;
      const { pid } = row;
      const due =
        row.startTicks > youngSince ||
        (pid + this.#look) % rotation === 0 ||
        isReusable(reused, pid) ||
        (look.watched.has(pid) && look.hasRun(pid));
      if (!due) continue;
      this.#read(pid);
      yield;
    }
  }

  *#readRelatives(): Steps<void> {
    if (this.#ended.size > 0 || this.#parents.size > 0) {
      for (const { readAt, row } of this.#known.values()) {
        if (readAt === this.#look) continue;
        if (!this.#parents.has(row.pid) && !this.#ended.has(row.ppid)) continue;
        this.#read(row.pid);
        yield;
      }
    }
    this.#ended.clear();
    this.#parents.clear();
  }

  #forget(pid: number): void {
    if (!this.#known.delete(pid)) return;
    this.#changed = true;
    this.#ended.add(pid);
  }

  /** Reads one process; false if there is nothing to read. */
  #read(pid: number): boolean {
    const before = this.#known.get(pid);
    const reading = this.#rows.read(asPid(pid), before, this.#look);
    if (reading === 'gone' || reading === 'denied') {
      if (reading === 'denied') this.#denied++;
      else this.#missed++;
      this.#forget(pid);
      return false;
    }
    if (reading === before) return true;
    this.#changed = true;
    this.#known.set(pid, reading);
    const isNew = before === undefined || before.row.startTicks !== reading.row.startTicks;
    if (isNew) this.#parents.add(reading.row.ppid);
    if (before !== undefined && (isNew || (hasEnded(reading.row) && !hasEnded(before.row)))) this.#ended.add(pid);
    return true;
  }

  *#inOrder(pids: Iterable<number>): Generator<readonly [Pid, ProcessRow]> {
    for (const pid of pids) {
      const cached = this.#known.get(pid);
      if (cached !== undefined) yield [asPid(pid), cached.row];
    }
  }
}
