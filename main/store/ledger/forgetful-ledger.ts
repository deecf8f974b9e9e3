import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { BootId } from '../../../app/process/identity.ts';
import type { LedgerMemory } from '../../observing/observer-tools.ts';
import { SparedFile } from '../spared/spared-file.ts';

/**
 * What Curfew saw of jobs, for as long as this process runs: for a look that keeps nothing. It
 * knows nothing of earlier looks, so that less is certain and less would be ended.
 */
export class ForgetfulLedger {
  #entries: readonly LedgerEntry[] = [];
  #witnesses: readonly Witness[] = [];
  readonly #spared = new SparedFile([], () => undefined);

  /** Returns the jobs of the look before, none at the first one. */
  load(_boot: BootId): readonly LedgerEntry[] {
    return this.#entries;
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

  readonly spared: NonNullable<LedgerMemory['spared']> = {
    meet: (now) => this.#spared.meet(now, 'none'),
    note: (now, facts, isOver) => this.#spared.note(now, facts, isOver),
    say: (now, facts) => this.#spared.say(now, facts),
    takeBack: (now, job) => this.#spared.takeBack(now, job),
  };

  /** There is no file. */
  close(): void {
    // Nothing to close.
  }
}
