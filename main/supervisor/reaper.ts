import type { Incident, IncidentEvent, Intent, Outcome } from '../../app/history/incident.ts';
import { foldIncident } from '../../app/history/fold.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { Job, JobId, RunTerms } from '../../app/jobs/job.ts';
import type { ProcessMark } from '../../app/jobs/ledger.ts';
import type { VetoContext } from '../../app/judge/vetoes/context.ts';
import { nextReapingStep } from '../../app/reap/machine.ts';
import type { Sight } from '../../app/reap/target.ts';
import type { TimeoutEvent } from '../../app/text/timeout-event.ts';
import type { Signaller } from '../os/signaller.ts';
import type { ProcessSource } from '../os/source.ts';
import { deliver } from './delivery.ts';
import { recordedProcess } from './freed.ts';
import { keepRivalsOut } from './rival.ts';
import { intentOf } from './intent.ts';
import type { Journal } from './journal.ts';
import type { JudgedJob, Look } from './look.ts';
import type { ReapingOrder } from './reaping.ts';
import { Reaping } from './reaping.ts';
import type { OutputFile } from './append-to-output.ts';
import type { Telling } from './tell-agent.ts';

/** While processes end, members are enumerated again at least this often (milliseconds), so that what they fork is seen. */
const enumerateEveryMs = 1000;

/** What the reaper works with. */
export interface ReaperTools {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly journal: Journal;
  /** Wall clock, milliseconds since the epoch: what the record says. */
  readonly now: () => number;
  /**
   * A clock that nobody sets, milliseconds, by which graces and pauses are counted: a wall clock that is put forward would cut a grace
   * short, one that is put back would never let it end. It stands still while the machine sleeps, and so do those who were asked to end.
   */
  readonly steadyNow?: () => number;
  /** This Curfew process. */
  readonly writer: ProcessMark;
  readonly vetoContext: (job: Job, look: Look) => VetoContext;
  /** The last lines of the job's output, redacted; null where there is none. */
  readonly outputTail: (job: Job) => string | null;
  /** Where the agent will look for what became of the job; null where there is no such place. */
  readonly outputToTellIn: (job: Job) => OutputFile | null;
  /** Tells it there. */
  /** How the `curfew run` of a run says that it ended it; null where it left no word. */
  readonly runOutcome?: (run: RunTerms) => Outcome | null;
  /** Tells it there; null, or why it could not be told. */
  readonly tellAgent: (job: Job, output: OutputFile, event: TimeoutEvent) => Telling;
  /** True while nothing is to be ended by itself. */
  readonly paused?: () => boolean;
}

/** A reaping that could not be journalled; nothing was signalled from then on. */
export interface ReapingFailure {
  readonly job: JobId;
  readonly error: unknown;
  /** Null when not even the intent could be written. */
  readonly intent: Intent | null;
  /** How many of its processes lived when it was given up. */
  readonly left: number;
}

/** What came out of advancing: incidents that are complete, and reapings that had to be given up. */
export interface ReaperProgress {
  readonly ended: readonly Incident[];
  readonly failed: readonly ReapingFailure[];
}

/**
 * Carries out reapings, many at once, all from the same looks. It never looks by itself: whoever drives it (supervisor or
 * command line) hands it a look when `needsLook` says so, until nothing is in progress.
 */
export class Reaper {
  readonly #tools: ReaperTools;
  readonly #steadyNow: () => number;
  readonly #active = new Map<JobId, { reaping: Reaping; events: IncidentEvent[] }>();

  constructor(tools: ReaperTools) {
    this.#tools = tools;
    this.#steadyNow = tools.steadyNow ?? (() => performance.now());
  }

  /** Jobs that are being reaped now. */
  get inProgress(): readonly Reaping[] {
    return [...this.#active.values()].map(({ reaping }) => reaping);
  }

  /** Takes a reaping up; false when the job is being reaped already. */
  start(order: ReapingOrder, judged: JudgedJob): boolean {
    if (this.#active.has(order.job)) return false;
    this.#active.set(order.job, { reaping: new Reaping(order, judged, this.#tools.signaller), events: [] });
    return true;
  }

  /**
   * Ends the grace of a reaping because a person is tired of waiting; false when there is none of this id in its grace. The record says so
   * before anything is killed for it.
   * @throws what the journal throws; then the grace goes on
   */
  endGrace(incident: string): boolean {
    const active = [...this.#active.values()].find(({ reaping }) => reaping.intent?.id === incident);
    if (active?.reaping.state.phase !== 'asked') return false;
    const { reaping, events } = active;
    if (reaping.plan.graceMs === 0) return true;
    this.#append(reaping, events, {
      kind: 'note',
      atMs: this.#tools.now(),
      text: 'The person ended the grace early: what was left was to be killed at once.',
    });
    reaping.endGrace();
    return true;
  }

  /** True when a reaping can go on only after another look: a moment it waits for has come, or everybody held has ended. */
  needsLook(): boolean {
    const now = this.#steadyNow();
    return this.inProgress.some(
      (reaping) =>
        now >= reaping.waitUntilMs || now - reaping.lastSightMs >= enumerateEveryMs || reaping.allHeldHaveEnded(),
    );
  }

  /** Takes every reaping as far as this look allows. */
  advance(look: Look): ReaperProgress {
    const ended: Incident[] = [];
    const failed: ReapingFailure[] = [];
    for (const [id, { reaping, events }] of this.#active) {
      try {
        if (!this.#advanceOne(reaping, events, look)) continue;
        if (reaping.intent !== null) ended.push(foldIncident(reaping.intent, events));
      } catch (error) {
        failed.push({ job: id, error, intent: reaping.intent, left: reaping.left });
      }
      reaping.close();
      this.#active.delete(id);
    }
    return { ended, failed };
  }

  /** True when the reaping has ended. */
  #advanceOne(reaping: Reaping, events: IncidentEvent[], look: Look): boolean {
    const steadyNow = this.#steadyNow;
    const sight = reaping.sight(look, steadyNow(), this.#tools.paused?.() === true);
    for (;;) {
      const { state, action } = nextReapingStep(reaping.state, sight, reaping.plan, steadyNow());
      switch (action.kind) {
        case 'journal':
          this.#writeIntent(reaping, look);
          reaping.state = state;
          break;
        case 'signal': {
          const delivery = {
            source: this.#tools.source,
            context: this.#tools.vetoContext(reaping.judged.job, look),
            reaping,
            now: this.#tools.now,
          };
          const records = [
            ...deliver(delivery, action.signal, action.orders),
            ...deliver(delivery, 'CONT', action.resume),
          ];
          this.#tools.journal.together(() => {
            for (const signal of records) this.#append(reaping, events, { kind: 'signal', signal });
          });
          reaping.state = state;
          // What the signal did is seen by the next look only.
          reaping.waitUntilMs = state.phase === 'asked' ? state.askedAtMs + reaping.plan.graceMs : steadyNow();
          return false;
        }
        case 'wait':
          reaping.waitUntilMs = action.untilMs;
          reaping.state = state;
          return false;
        case 'end':
          reaping.state = state;
          this.#end(reaping, events, look, sight, action.outcome);
          return true;
      }
    }
  }

  #writeIntent(reaping: Reaping, look: Look): void {
    const { now, writer, journal } = this.#tools;
    const nowMs = now();
    const { decidedBy, plan } = reaping.order;
    const intent = intentOf({
      id: incidentId(nowMs, Math.floor(Math.random() * incidentRandomRange)),
      nowMs,
      table: look.table,
      writer,
      judged: reaping.judged,
      decidedBy,
      plan,
    });
    journal.begin(intent, keepRivalsOut(intent, look.table));
    reaping.intent = intent;
    reaping.output = this.#tools.outputToTellIn(reaping.judged.job);
  }

  #append(reaping: Reaping, events: IncidentEvent[], event: IncidentEvent): void {
    events.push(event);
    if (reaping.intent !== null) this.#tools.journal.append(reaping.intent.id, event);
  }

  #end(reaping: Reaping, events: IncidentEvent[], look: Look, sight: Sight, found: Outcome): void {
    const { run } = reaping.judged.job;
    // Nobody was left at this look; only its own `curfew run` knows whether it had to kill.
    const outcome = run === undefined || found !== 'reaped' ? found : (this.#tools.runOutcome?.(run) ?? found);
    const atMs = this.#tools.now();
    // A job that a veto spares or that went by itself is recorded too: somebody asked for it to be ended.
    if (reaping.intent === null) this.#writeIntent(reaping, look);
    const vetoes = sight.living.flatMap((target) => target.vetoes);
    const dead = reaping.freed.processes((key) => reaping.isDead(key));
    const alive = reaping.freed.processes((key) => !reaping.isDead(key));
    // Before the agent is told: its own last words are what the record is to keep.
    const tail = this.#tools.outputTail(reaping.judged.job);
    const telling = this.#tell(reaping, events, alive, outcome);
    this.#tools.journal.together(() => {
      if (vetoes.length > 0) this.#append(reaping, events, { kind: 'veto', atMs, vetoes });
      if (dead.length > 0) this.#append(reaping, events, { kind: 'died', atMs, pids: dead.map((row) => row.pid) });
      if (telling !== null) this.#append(reaping, events, { kind: 'note', atMs, text: telling.text });
      this.#append(reaping, events, {
        kind: 'ended',
        atMs,
        outcome,
        survivors: alive.map(recordedProcess),
        freed: reaping.freed.freedBy((key) => reaping.isDead(key)),
        outputTail: tail,
      });
    });
  }

  /** Null when there was nothing to tell or nowhere to tell it. */
  #tell(
    reaping: Reaping,
    events: readonly IncidentEvent[],
    alive: readonly { readonly pid: number }[],
    outcome: Outcome,
  ): Telling | null {
    const { intent, output } = reaping;
    const ended = outcome === 'reaped' || outcome === 'killed' || outcome === 'survived';
    if (intent === null || output === null || !ended) return null;
    if (!events.some((event) => event.kind === 'signal' && event.signal.result === 'sent')) return null;
    const survivors = alive.map(({ pid }) => ({ pid }));
    const event = { ...intent, atMs: this.#tools.now(), outcome, survivors };
    return this.#tools.tellAgent(reaping.judged.job, output, event);
  }
}
