import type { JobId } from '../../../app/jobs/model/job.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { BootId } from '../../../app/process/identity.ts';

/**
 * What Curfew saw of jobs, for as long as this process runs: for a look that keeps nothing. It
 * knows nothing of earlier looks, so that less is certain and less would be ended.
 */
export class ForgetfulLedger {
  #entries: readonly LedgerEntry[] = [];
  #witnesses: readonly Witness[] = [];
  readonly #keeps = new Map<JobId, number>();

  /** Returns the jobs of the look before, none at the first one. */
  load(_boot: BootId): readonly LedgerEntry[] {
    return this.#entries.map((entry) => ({ ...entry, keptUntilMs: this.#keeps.get(entry.id) ?? null }));
  }

  /** Takes the jobs of a look. */
  save(_boot: BootId, entries: readonly LedgerEntry[]): void {
    this.#entries = entries;
  }

  /** Returns what the look before saw of users' processes and agents. */
  witnesses(_boot: BootId): readonly Witness[] {
    return this.#witnesses;
  }

  /** Takes the same of a look. */
  saveWitnesses(_boot: BootId, witnesses: readonly Witness[]): void {
    this.#witnesses = witnesses;
  }

  /** No user is told of anything in a look that keeps nothing. */
  rememberNotices(): void {
    // Nothing to remember.
  }

  /** Puts off a job's limit until `untilMs` (wall clock), in this process only. */
  keep(id: JobId, untilMs: number): void {
    this.#keeps.set(id, untilMs);
  }

  /** Makes a job's limits count again. */
  unkeep(id: JobId): void {
    this.#keeps.delete(id);
  }

  /** There is no file. */
  close(): void {
    // Nothing to close.
  }
}
