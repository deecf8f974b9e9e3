import type { MemoryState } from '../../app/judge/scarce-memory.ts';
import type { Decider, IncidentEvent, Intent } from '../../app/history/incident.ts';
import type { JobId, Owner } from '../../app/jobs/model/job.ts';
import type { StopReason, Objection } from '../../app/judge/stop-reason.ts';
import type { IdentityKey, ProcessIdentity } from '../../app/process/identity.ts';
import { asGroupId, identityKey } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { identityOf } from '../../app/process/table.ts';
import { hasEnded } from '../../app/process/row.ts';
import { relationsOf } from '../../app/process/tree.ts';
import type { ReapingPlan, ReapingState } from '../../app/reap/machine.ts';
import { stoppedBy } from '../../app/reap/stopped-by.ts';
import type { Survey, Target } from '../../app/reap/target.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { OutputFile } from '../output/append-to-output.ts';
import type { DrivenReaping } from './driver.ts';
import { FreedAccount } from './freed.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { sharedGroups } from './shared-groups.ts';

/** What a reaping was started with. */
export interface ReapingOrder {
  readonly job: JobId;
  readonly decidedBy: Decider;
  readonly plan: ReapingPlan;
  /** The memory of the machine, where it was so scarce that the largest went first. */
  readonly scarce?: MemoryState;
}

const objection = (code: StopReason | 'no-provenance', pid: number): Objection => ({ code, pid, figures: {} });

/** A hold on one process, as far as a reaping needs it to know what lives. */
export type ProcessHold = Pick<ProcessHandle, 'identity' | 'alive' | 'close' | 'groupIsEmpty'>;

/**
 * One reaping in progress: its place in the state machine, the hold on every process that it ever
 * saw of the job, and the account of what those held. It decides nothing; `app/reap/machine.ts`
 * does.
 */
export class Reaping<Hold extends ProcessHold = ProcessHold> implements DrivenReaping<Look> {
  readonly order: ReapingOrder;
  readonly freed = new FreedAccount();
  /** What happened so far, in order, as it was journalled. */
  readonly events: IncidentEvent[] = [];
  readonly #holds: { readonly open: (identity: ProcessIdentity) => Hold | null };
  readonly #ownerAtStart: Owner['state'];
  readonly #handles = new Map<IdentityKey, Hold>();
  #plan: ReapingPlan;
  /** Zombies in groups of the job, as the look before saw them. */
  #zombies: ReadonlySet<IdentityKey> = new Set();
  /** The latest look at the job; kept when the job is no longer found. */
  judged: JudgedJob;
  state: ReapingState = { phase: 'starting' };
  intent: Intent | null = null;
  /** Of some signal it is not known whether it was heard: the machine broke off. */
  resultsAreMissing = false;
  /**
   * Where the job's agent may be told what became of it; known when the intent is written, while
   * the job still holds the file.
   */
  output: OutputFile | null = null;
  /** By the reaper's steady clock, milliseconds. */
  waitUntilMs = 0;
  /** See `DrivenReaping`. */
  breaks = 0;
  /** See `DrivenReaping`. */
  restartsGrace = false;
  /** By the reaper's steady clock, milliseconds. */
  lastSightMs = 0;

  /** It was begun as a server to which no process could speak: that is asked before each signal. */
  readonly abandonedAtStart: boolean;
  readonly #paused: () => boolean;

  /**
   * @param holds takes hold of a process; null when it is gone
   * @param paused nothing is ended by itself at the moment
   */
  constructor(
    order: ReapingOrder,
    judged: JudgedJob,
    holds: { open(identity: ProcessIdentity): Hold | null },
    paused: () => boolean,
  ) {
    this.#paused = paused;
    this.order = order;
    this.#plan = order.plan;
    this.judged = judged;
    this.#ownerAtStart = judged.job.owner.state;
    this.abandonedAtStart = judged.job.server?.standing === 'abandoned';
    this.#holds = holds;
  }

  /** How it is done: as it was ordered, unless the user ended the grace. */
  get plan(): ReapingPlan {
    return this.#plan;
  }

  /** It is as if it had never been written: it wasn't. */
  forgetIntent(): void {
    this.intent = null;
    this.output = null;
  }

  /** Ends the grace: what is left is killed at the next step. */
  endGrace(): void {
    this.#plan = { ...this.#plan, graceMs: 0 };
    this.waitUntilMs = 0;
  }

  /** How many of those that were ever held still live. */
  get left(): number {
    return [...this.#handles.values()].filter((handle) => handle.alive()).length;
  }

  /** The hold on a process, if it was taken and not yet released. */
  handle(key: IdentityKey): Hold | undefined {
    return this.#handles.get(key);
  }

  /**
   * True when none of those held is left; newcomers are found by the next look only. Not while that
   * is being made sure of.
   */
  allHeldHaveEnded(): boolean {
    if ('unsure' in this.state) return false;
    return [...this.#handles.values()].every((handle) => !handle.alive());
  }

  /** True when that process was held and has ended. */
  isDead(key: IdentityKey): boolean {
    const handle = this.#handles.get(key);
    return handle !== undefined && !handle.alive();
  }

  /** Releases every hold. */
  close(): void {
    for (const handle of this.#handles.values()) handle.close();
  }

  /**
   * Enumerates the job anew from a look, takes hold of members that were not held, and says which
   * are living. A process that is held and alive but no longer found as a member is living too, and
   * is signalled no more: nothing proves any longer that it is the agent's.
   */
  survey(look: Look, nowMs: number): Survey {
    this.lastSightMs = nowMs;
    const judged = look.jobs.get(this.order.job) ?? look.agentJobs?.get(this.order.job);
    const living: Target[] = [];
    const seen = new Set<IdentityKey>();
    if (judged !== undefined) {
      this.judged = judged;
      const stopped = stoppedBy({
        ...judged,
        decidedBy: this.order.decidedBy,
        ownerAtStart: this.#ownerAtStart,
        abandonedAtStart: this.abandonedAtStart,
        paused: this.#paused(),
      });
      for (const { row } of judged.job.members) {
        const identity = identityOf(look.table, row);
        const key = identityKey(identity);
        if (!this.#hold(key, () => this.#holds.open(identity))) continue;
        seen.add(key);
        this.freed.note(key, row, judged.job.facts.get(row.pid));
        living.push({
          key,
          pid: row.pid,
          pgid: row.pgid,
          stopped: row.state === 'T',
          runnable: row.state === 'R',
          vetoes: [
            ...judged.vetoes.filter((one) => one.pid === row.pid),
            ...(stopped === null ? [] : [objection(stopped, row.pid)]),
          ],
        });
      }
    }
    const supervisor = this.#supervisor(look.table);
    if (supervisor !== null) {
      seen.add(supervisor.key);
      living.push(supervisor);
    }
    for (const [key, handle] of this.#handles) {
      if (seen.has(key) || !handle.alive()) continue;
      const { pid } = handle.identity;
      const row = look.table.rows.get(pid);
      // Of a server nothing but its ends may have shown what it was, and its dead parent held
      // those.
      const vetoes = this.abandonedAtStart ? [] : [objection('no-provenance', pid)];
      living.push({ key, pid, pgid: row?.pgid ?? pid, stopped: row?.state === 'T', vetoes });
    }
    const overlooked =
      living.length === 0 && this.#isFleeting(look.table)
        ? 'fleeting'
        : this.#isComplete(look.table)
          ? 'none'
          : 'maybe';
    return { living, sharedGroups: sharedGroups(look.table, living), overlooked };
  }

  /**
   * No process ended while the table was read, and none lives in a kernel session of the job that
   * isn't known to be of it (one that exits while it is looked at shows a session, and no marks any
   * more).
   */
  #isComplete({ rows, missed = 0 }: ProcessTable): boolean {
    if (missed > 0) return false;
    const sessions = new Set(this.judged.job.members.map(({ row }) => row.sid));
    const { session } = relationsOf(rows);
    for (const sid of sessions)
      if (sid > 1 && session(sid).some((row) => !hasEnded(row) && !this.#isNumberHeld(row.pid))) return false;
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
    const numbers = new Set([...this.#handles.values()].map(({ identity }) => asGroupId(identity.pid)));
    const { group } = relationsOf(table.rows);
    for (const row of [...numbers].flatMap((number) => group(number))) {
      const identity = identityOf(table, row);
      const key = identityKey(identity);
      if (hasEnded(row)) zombies.add(key);
      if (hasEnded(row) ? this.#zombies.has(key) : !this.#isNumberHeld(row.sid) && this.#livesUnheld(identity))
        explained.add(row.pgid);
    }
    this.#zombies = zombies;
    for (const handle of this.#handles.values())
      if (!explained.has(handle.identity.pid) && handle.groupIsEmpty?.() === false) return true;
    return false;
  }

  #livesUnheld(identity: ProcessIdentity): boolean {
    const handle = this.#holds.open(identity);
    handle?.close();
    return handle !== null;
  }

  #isNumberHeld(pid: number): boolean {
    for (const { identity } of this.#handles.values()) if (Number(identity.pid) === pid) return true;
    return false;
  }

  /** The `curfew run` of a run: it is what is asked, and until it has ended the run has not. */
  #supervisor(table: ProcessTable): Target | null {
    const identity = this.judged.job.run?.supervisor;
    if (identity === undefined || identity.bootId !== table.bootId) return null;
    const key = identityKey(identity);
    if (!this.#hold(key, () => this.#holds.open(identity))) return null;
    const row = table.rows.get(identity.pid);
    return { key, pid: identity.pid, pgid: row?.pgid ?? identity.pid, stopped: false, vetoes: [] };
  }

  #hold(key: IdentityKey, open: () => Hold | null): boolean {
    const held = this.#handles.get(key);
    if (held !== undefined) return held.alive();
    const handle = open();
    if (handle === null) return false;
    this.#handles.set(key, handle);
    return true;
  }
}
