import type { MemoryState } from '../../app/judge/scarce-memory.ts';
import type { Incident, Decider, IncidentEvent, Intent } from '../../app/history/incident.ts';
import type { JobId, Owner } from '../../app/model/job.ts';
import type { StopReason, Objection } from '../../app/judge/stop-reason.ts';
import { type IdentityKey, identityKey } from '../../app/process/identity.ts';
import { type ProcessTable, identityOf } from '../../app/process/table.ts';
import type { ReapingPlan, ReapingState } from '../../app/reap/machine.ts';
import { stoppedBy } from '../../app/reap/stopped-by.ts';
import type { Survey, Target } from '../../app/reap/target.ts';
import type { OutputFile } from '../output/tell-agent.ts';
import type { DrivenReaping } from './driver.ts';
import { FreedAccount, type HeldMember, type ReadShares } from './freed.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { type HoldOpener, Holds, Overlooked, type ProcessHold, sharedGroups } from './holds.ts';
import { isToldFirst } from './admission.ts';
import { type MeasureMoved, SetUse } from './set-use.ts';

export interface ReapingOrder {
  readonly job: JobId;
  readonly decidedBy: Decider;
  readonly plan: ReapingPlan;
  /** The memory of the machine, where it was so scarce that the largest went first. */
  readonly scarce?: MemoryState;
}

const objection = (code: StopReason | 'no-provenance', pid: number): Objection => ({ code, pid, figures: {} });

/**
 * One reaping in progress: its place in the state machine, the hold on every process that it ever
 * saw of the job, and the account of what those held. It decides nothing; `app/reap/machine.ts`
 * does.
 */
export class Reaping<Hold extends ProcessHold = ProcessHold> implements DrivenReaping<Look> {
  readonly order: ReapingOrder;
  readonly freed: FreedAccount;
  /** What happened so far, in order, as it was journalled. */
  readonly events: IncidentEvent[] = [];
  readonly #holds: Holds<Hold>;
  readonly #overlooked: Overlooked;
  readonly #ownerAtStart: Owner['state'];
  #plan: ReapingPlan;
  /** The latest look at the job; kept when the job is no longer found. */
  judged: JudgedJob;
  state: ReapingState = { phase: 'starting' };
  intent: Intent | null = null;
  /** What came of it once it is over; where it failed, nothing was signalled, or nothing more. */
  came:
    | { readonly kind: 'ended'; readonly incident: Incident }
    | { readonly kind: 'failed'; readonly error: unknown }
    | null = null;
  /** Of some signal it is not known whether it was heard: the machine broke off. */
  resultsAreMissing = false;
  /** Where the job's agent may be told; set with the intent, while the job still holds it. */
  output: OutputFile | null = null;
  /** By the reaper's steady clock, milliseconds. */
  waitUntilMs = 0;
  breaks = 0;
  restartsGrace = false;
  /** By the reaper's steady clock, milliseconds. */
  lastSightMs = 0;

  /** It was begun as a server to which no process could speak: that is asked before each signal. */
  readonly abandonedAtStart: boolean;
  readonly #paused: () => boolean;
  readonly #moved: MeasureMoved;
  /** Of an older set of a living host: it is measured before each signal. */
  #use: SetUse | null = null;
  #isKilled = false;

  /**
   * Returns a reaping that may begin; null where no notice was given of an automatic end.
   * @param paused nothing is ended by itself at the moment
   * @param moved measures servers where they can be
   * @param readShares memory that is shared counts in full without it
   */
  static admitted<Hold extends ProcessHold>(
    order: ReapingOrder,
    judged: JudgedJob,
    opener: HoldOpener<Hold>,
    paused: () => boolean,
    moved?: MeasureMoved,
    readShares?: ReadShares,
  ): Reaping<Hold> | null {
    return isToldFirst(order, judged) ? new Reaping(order, judged, opener, paused, moved, readShares) : null;
  }

  private constructor(
    order: ReapingOrder,
    judged: JudgedJob,
    opener: HoldOpener<Hold>,
    paused: () => boolean,
    moved: MeasureMoved,
    readShares: ReadShares | undefined,
  ) {
    this.freed = new FreedAccount(readShares);
    this.#paused = paused;
    this.#moved = moved;
    this.order = order;
    this.#plan = order.plan;
    this.judged = judged;
    this.#ownerAtStart = judged.job.owner.state;
    this.abandonedAtStart = judged.job.server?.standing === 'abandoned';
    this.#holds = new Holds(opener);
    this.#overlooked = new Overlooked(this.#holds);
  }

  /** How it is done: as it was ordered, unless the user ended the grace. */
  get plan(): ReapingPlan {
    return this.#plan;
  }

  /** Drops the intent after the write failed. */
  forgetIntent(): void {
    this.intent = null;
    this.output = null;
  }

  /** Ends the grace: what is left is killed at the next step. */
  endGrace(): void {
    this.#plan = { ...this.#plan, graceMs: 0 };
    this.waitUntilMs = 0;
  }

  get left(): number {
    return this.#holds.living().length;
  }

  /** The hold on a process, if it was taken and not yet released. */
  handle(key: IdentityKey): Hold | undefined {
    return this.#holds.of(key);
  }

  /** True when none held is left, unless a look must still confirm it; it finds newcomers too. */
  allHeldHaveEnded(): boolean {
    return !('unsure' in this.state) && this.left === 0;
  }

  isDead(key: IdentityKey): boolean {
    return this.#holds.isDead(key);
  }

  /**
   * Whether it is an older set that was used, by a measure of this moment. Once it was sent KILL
   * that is not asked: what is left of it is no server any more.
   */
  isUsedSince(): boolean {
    return !this.#isKilled && this.#use?.isUsed(this.judged.job.members.map(({ row }) => row)) === true;
  }

  /** Its processes are sent KILL now. */
  noteKill(): void {
    this.#isKilled = true;
  }

  close(): void {
    this.#holds.close();
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
    const held: HeldMember[] = [];
    if (judged !== undefined) {
      this.judged = judged;
      if (look.olderSets?.has(this.order.job) === true) this.#use ??= new SetUse(look, this.#moved);
      const stopped = this.isUsedSince()
        ? 'used-since'
        : stoppedBy({
            ...judged,
            decidedBy: this.order.decidedBy,
            ownerAtStart: this.#ownerAtStart,
            abandonedAtStart: this.abandonedAtStart,
            paused: this.#paused(),
          });
      for (const { row } of judged.job.members) {
        const identity = identityOf(look.table, row);
        const key = identityKey(identity);
        if (!this.#holds.take(identity)) continue;
        seen.add(key);
        held.push({ key, row, facts: judged.job.facts.get(row.pid) });
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
    this.freed.note(held);
    const supervisor = this.#supervisor(look.table);
    if (supervisor !== null) {
      seen.add(supervisor.key);
      living.push(supervisor);
    }
    for (const [key, { identity }] of this.#holds.living()) {
      if (seen.has(key)) continue;
      const { pid } = identity;
      const row = look.table.rows.get(pid);
      // Of a server nothing but its ends may have shown what it was, and its dead parent held
      // those.
      const vetoes = this.abandonedAtStart ? [] : [objection('no-provenance', pid)];
      living.push({ key, pid, pgid: row?.pgid ?? pid, stopped: row?.state === 'T', vetoes });
    }
    const overlooked = this.#overlooked.in(look.table, this.judged, living.length === 0);
    return { living, sharedGroups: sharedGroups(look.table, living), overlooked };
  }

  /** The `curfew run` of a run: it is what is asked, and until it has ended the run has not. */
  #supervisor(table: ProcessTable): Target | null {
    const identity = this.judged.job.run?.supervisor;
    if (identity === undefined || identity.bootId !== table.bootId) return null;
    const key = identityKey(identity);
    if (!this.#holds.take(identity)) return null;
    const row = table.rows.get(identity.pid);
    return { key, pid: identity.pid, pgid: row?.pgid ?? identity.pid, stopped: false, vetoes: [] };
  }
}
