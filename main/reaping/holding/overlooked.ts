import type { JudgedJob } from '../../observing/look.ts';
import { type IdentityKey, type ProcessIdentity, asGroupId, identityKey } from '../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../app/process/row.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';
import { relationsOf } from '../../../app/process/tree.ts';
import type { Survey } from '../../../app/reap/target.ts';
import type { Holds, ProcessHold } from './holds.ts';

export class Overlooked {
  readonly #holds: Holds<ProcessHold>;
  /** Zombies in groups of the job, as the look before saw them. */
  #zombies: ReadonlySet<IdentityKey> = new Set();

  constructor(holds: Holds<ProcessHold>) {
    this.#holds = holds;
  }

  /**
   * Asked once a look.
   * @param nothingLives none of the job was found alive
   */
  in(table: ProcessTable, { job }: JudgedJob, nothingLives: boolean): Survey['overlooked'] {
    const sessions = new Set(job.members.map(({ row }) => row.sid));
    if (nothingLives && (this.#isFleeting(table) || this.#exitsUnheld(table, sessions))) return 'fleeting';
    return this.#isComplete(table, sessions) ? 'none' : 'maybe';
  }

  /**
   * No process ended while the table was read, and none lives in a kernel session of the job that
   * isn't known to be of it (one that exits while it is looked at shows a session, and no marks any
   * more).
   */
  #isComplete({ rows, missed = 0 }: ProcessTable, sessions: ReadonlySet<ProcessRow['sid']>): boolean {
    if (missed > 0) return false;
    const { session } = relationsOf(rows);
    for (const sid of sessions)
      if (sid > 1 && session(sid).some((row) => !hasEnded(row) && !this.#holds.pins(row.pid))) return false;
    return true;
  }

  /**
   * A process is in a group of the job that the look did not show, or that was gone when it was to
   * be held: a process that forks and exits every 20 ms was reported as ended while it went on, in
   * the group of its dead leader. The hold on that one pins the number of the group, so it can't
   * have come to be another's. A zombie that stays explains it, and another process that lives in
   * the group; not where the kernel session is the job's own, too: what lives there was started by
   * it.
   */
  #isFleeting(table: ProcessTable): boolean {
    const zombies = new Set<IdentityKey>();
    const explained = new Set<number>();
    const numbers = new Set(this.#holds.all().map(({ identity }) => asGroupId(identity.pid)));
    const { group } = relationsOf(table.rows);
    for (const row of [...numbers].flatMap((number) => group(number))) {
      const identity = identityOf(table, row);
      const key = identityKey(identity);
      if (hasEnded(row)) zombies.add(key);
      if (hasEnded(row) ? this.#zombies.has(key) : this.#livesElsewhere(row.sid, identity)) explained.add(row.pgid);
    }
    this.#zombies = zombies;
    return this.#holds.all().some((hold) => !explained.has(hold.identity.pid) && hold.groupIsEmpty?.() === false);
  }

  /**
   * A process lived in a kernel session of the job's own at this look, was never held, and is gone
   * by now. It may have forked: on a busy machine ten such looks were followed by "ended".
   */
  #exitsUnheld(table: ProcessTable, sessions: ReadonlySet<ProcessRow['sid']>): boolean {
    const { session } = relationsOf(table.rows);
    return [...sessions]
      .filter((sid) => this.#holds.pins(sid))
      .flatMap((sid) => session(sid))
      .some((row) => !hasEnded(row) && !this.#holds.pins(row.pid) && !this.#holds.livesNow(identityOf(table, row)));
  }

  #livesElsewhere(sid: ProcessRow['sid'], identity: ProcessIdentity): boolean {
    return !this.#holds.pins(sid) && this.#holds.livesNow(identity);
  }
}
