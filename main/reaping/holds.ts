import { type IdentityKey, type ProcessIdentity, asGroupId, identityKey } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded } from '../../app/process/row.ts';
import { type ProcessTable, identityOf } from '../../app/process/table.ts';
import { relationsOf } from '../../app/process/tree.ts';
import type { Survey, Target } from '../../app/reap/target.ts';
import type { JudgedJob } from '../observing/look.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';

/** Groups of the targets in which a process lives that is not among them. */
export const sharedGroups = (table: ProcessTable, living: readonly Target[]): ReadonlySet<number> => {
  const own = new Set(living.map((target) => target.pid));
  const groups = new Set(living.map((target) => target.pgid));
  const { group } = relationsOf(table.rows);
  return new Set(
    [...groups].filter((pgid) => group(asGroupId(pgid)).some((row) => !own.has(row.pid) && !hasEnded(row))),
  );
};

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

export type ProcessHold = Pick<ProcessHandle, 'identity' | 'alive' | 'close' | 'groupIsEmpty'>;

/** Takes hold of a process; null when it is gone. */
export interface HoldOpener<Hold extends ProcessHold> {
  open(identity: ProcessIdentity): Hold | null;
}

/**
 * The holds that a reaping took, on every process that it ever saw of its job. They stay until it
 * ends: as long as a process is held, no other gets its pid.
 */
export class Holds<Hold extends ProcessHold> {
  readonly #opener: HoldOpener<Hold>;
  readonly #taken = new Map<IdentityKey, Hold>();

  constructor(opener: HoldOpener<Hold>) {
    this.#opener = opener;
  }

  /** Takes hold of a process unless it is held; false when it has ended. */
  take(identity: ProcessIdentity): boolean {
    const key = identityKey(identity);
    const held = this.#taken.get(key);
    if (held !== undefined) return held.alive();
    const hold = this.#opener.open(identity);
    if (hold === null) return false;
    this.#taken.set(key, hold);
    return true;
  }

  /** Whether a process lives, by a hold that is released at once. */
  livesNow(identity: ProcessIdentity): boolean {
    const hold = this.#opener.open(identity);
    hold?.close();
    return hold !== null;
  }

  of(key: IdentityKey): Hold | undefined {
    return this.#taken.get(key);
  }

  /** All that were ever taken, with the processes that have ended. */
  all(): readonly Hold[] {
    return [...this.#taken.values()];
  }

  living(): readonly (readonly [IdentityKey, Hold])[] {
    return [...this.#taken].filter(([, hold]) => hold.alive());
  }

  isDead(key: IdentityKey): boolean {
    return this.#taken.get(key)?.alive() === false;
  }

  /** True for a number that no other process can get, because the one that has it is held. */
  pins(pid: number): boolean {
    return this.all().some(({ identity }) => Number(identity.pid) === pid);
  }

  close(): void {
    for (const hold of this.#taken.values()) hold.close();
  }
}
