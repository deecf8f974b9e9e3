import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Verdict } from '../../app/judge/verdict.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';

/**
 * Scans that are further apart than this, or than three intervals, void announcements made before.
 * Seconds.
 */
const maxUnwatchedSeconds = 120;

/**
 * Tells which announcements of an end still count. After a time without scans, as after a sleep, an
 * end is announced again; so is one that was called off meanwhile.
 */
export class Announcements {
  readonly #endsJobs: boolean;
  #lastTicks: number | null = null;
  #validFromTicks = 0;

  /** @param endsJobs this process ends what is due; others only read the account */
  constructor(endsJobs: boolean) {
    this.#endsJobs = endsJobs;
  }

  noteScan(table: ProcessTable, { scanIntervalSeconds }: Settings): void {
    const maxSeconds = Math.max(maxUnwatchedSeconds, scanIntervalSeconds * 3);
    const unwatched = this.#lastTicks === null || table.nowTicks - this.#lastTicks > maxSeconds * table.ticksPerSecond;
    if (unwatched && this.#endsJobs) this.#validFromTicks = table.nowTicks;
    this.#lastTicks = table.nowTicks;
  }

  /** Returns the entry without an announcement that no longer counts. */
  current(entry: LedgerEntry): LedgerEntry {
    const isVoid = entry.announcedAtTicks !== null && entry.announcedAtTicks < this.#validFromTicks;
    return isVoid ? { ...entry, announcedAtTicks: null } : entry;
  }

  /**
   * Returns the entry to remember: without its announcement where the judge no longer wants that
   * end.
   */
  afterVerdict(entry: LedgerEntry, verdict: Verdict): LedgerEntry {
    const stands = !this.#endsJobs || verdict.announces === true || verdict.action === 'reap';
    return stands || entry.announcedAtTicks === null ? entry : { ...entry, announcedAtTicks: null };
  }

  /** Voids every announcement made until now. */
  forget(): void {
    this.#lastTicks = null;
  }
}
