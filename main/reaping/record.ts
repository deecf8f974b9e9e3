import type { Found } from '../../app/format/secrets/safe-text.ts';
import { safeView } from '../../app/format/secrets/safe-view.ts';
import { leftLock } from '../../app/text/abandoned/locks.ts';
import { noted } from '../../app/text/noted.ts';
import { say } from '../../app/text/say.ts';
import type { IncidentEvent, Outcome, SignalRecord } from '../../app/history/incident.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { Job, RunTerms } from '../../app/model/job.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { Survey } from '../../app/reap/target.ts';
import type { TimeoutEvent } from '../../app/text/agents/timeout-event.ts';
import type { OutputFile, Telling } from '../output/tell-agent.ts';
import type { Delivered, DriverRecord, SignalAction } from './driver.ts';
import { beforeUsText, cameTooLate, recordedProcess, wasHeard } from './freed.ts';
import { withScarcity } from '../../app/judge/scarce-memory.ts';
import { intentOf } from './plan.ts';
import type { Journal } from './journal.ts';
import type { Look } from '../observing/look.ts';
import type { Reaping } from './reaping.ts';
import { rejectConcurrentReaper } from './admission.ts';

export interface ReapingRecordTools {
  /** The machine of the jobs, `local` for this one. */
  readonly host: string;
  readonly journal: Journal;
  /** Wall clock, milliseconds since the epoch: what the record says. */
  readonly now: () => number;
  readonly writer: ProcessRef;
  /** Whether that process of this machine and boot, another Curfew, still runs. */
  readonly isRunning: (mark: ProcessRef) => boolean;
  /** The last lines of the job's output, redacted; null where there is none. */
  readonly outputTail: (job: Job) => string | null;
  /** Where the agent will look for what became of the job; null where there is no such place. */
  readonly outputToTellIn: (job: Job) => OutputFile | null;
  /** Ports that any process listens on now; left out where that can't be told. */
  readonly portsInUse?: (() => ReadonlySet<number> | null) | undefined;
  /** Locks that a job left whose processes have ended. Left out where files can't be looked at. */
  readonly leftLocks?: (job: Job, dead: readonly ProcessRow[], look: Look) => readonly string[];
  /** How the `curfew run` of a run says that it ended it; null where it left no word. */
  readonly runOutcome?: (run: RunTerms) => Outcome | null;
  /** Tells it there. */
  readonly tellAgent: (job: Job, output: OutputFile, event: TimeoutEvent) => Telling;
}

const fleetingText = say(
  'Something of it goes on in its process group: a process that starts another and exits, each of them gone before it could be held. It is found again as soon as a look catches it.',
);

const signalsOf = ({ events }: Reaping): readonly SignalRecord[] =>
  events.flatMap((event) => (event.kind === 'signal' ? [event.signal] : []));

const wasNeverHeard = (reaping: Reaping): boolean => !reaping.resultsAreMissing && cameTooLate(signalsOf(reaping));

/** Whether a signal reached a process of the job, or may have: some results are missing. */
const mayHaveBeenHeard = (reaping: Reaping): boolean => reaping.resultsAreMissing || wasHeard(signalsOf(reaping));

/** Records what a reaping will do, did and led to, anywhere. Throws what the journal throws. */
export class ReapingRecord<One extends Reaping = Reaping> implements DriverRecord<One, Look> {
  readonly #tools: ReapingRecordTools;

  constructor(tools: ReapingRecordTools) {
    this.#tools = tools;
  }

  /** The intent, before the first signal. Throws also when another Curfew ends that job. */
  begin(reaping: Reaping, look: Look): void {
    const { host, now, writer, journal, isRunning, outputToTellIn } = this.#tools;
    const nowMs = now();
    const { decidedBy, plan, scarce } = reaping.order;
    const intent = intentOf({
      id: incidentId(nowMs, Math.floor(Math.random() * incidentRandomRange)),
      nowMs,
      host,
      table: look.table,
      writer,
      judged: withScarcity(reaping.judged, scarce ?? null),
      decidedBy,
      plan,
    });
    journal.begin(intent, rejectConcurrentReaper(intent, isRunning));
    reaping.intent = intent;
    reaping.output = outputToTellIn(reaping.judged.job);
  }

  /**
   * The intents of several, in one durable write. Those that could not be begun come back with
   * their errors. One that can't be (another Curfew is at it) must not keep the others, so then
   * each is written alone.
   */
  beginAll(reapings: readonly One[], look: Look): ReadonlyMap<One, unknown> {
    const failed = new Map<One, unknown>();
    if (reapings.length > 1 && this.#beginTogether(reapings, look)) return failed;
    for (const reaping of reapings) {
      try {
        this.begin(reaping, look);
      } catch (error) {
        failed.set(reaping, error);
      }
    }
    return failed;
  }

  #beginTogether(reapings: readonly One[], look: Look): boolean {
    try {
      this.#tools.journal.together(() => {
        for (const reaping of reapings) this.begin(reaping, look);
      });
      return true;
    } catch {
      // Told by those that can't be written alone either.
      for (const reaping of reapings) reaping.forgetIntent();
      return false;
    }
  }

  isBegun({ intent }: Reaping): boolean {
    return intent !== null;
  }

  /** Several writes as one durable write. */
  together(write: () => void): void {
    this.#tools.journal.together(write);
  }

  /** Signals with their results, in one durable write. */
  signalled(reaping: Reaping, { records, unanswered }: Delivered, { signal: name }: SignalAction): void {
    this.together(() => {
      for (const signal of records) this.append(reaping, { kind: 'signal', signal });
      if (unanswered === null) return;
      reaping.resultsAreMissing = true;
      const pids = [...unanswered.keys].map((key) => key.split(':').at(-2)).join(', ');
      const text = say('It is not known whether {signal} reached {pids}: {why}.', {
        signal: name,
        pids,
        why: unanswered.why,
      });
      this.append(reaping, noted(this.#tools.now(), text));
    });
  }

  /**
   * Ends the grace of an incident on the user's request; false when none of these is in its grace.
   * The record says so before anything is killed for it.
   * @throws what the journal throws; then the grace goes on
   */
  endGrace(inProgress: readonly Reaping[], incident: string): boolean {
    const reaping = inProgress.find((one) => one.intent?.id === incident);
    if (reaping?.state.phase !== 'asked') return false;
    if (reaping.plan.graceMs === 0) return true;
    const text = say('The user ended the grace early: what was left was to be killed at once.');
    this.append(reaping, noted(this.#tools.now(), text));
    reaping.endGrace();
    return true;
  }

  append(reaping: Reaping, found: Found<IncidentEvent>): void {
    const event = safeView<IncidentEvent>(found);
    reaping.events.push(event);
    if (reaping.intent !== null) this.#tools.journal.append(reaping.intent.id, event);
  }

  /** How it ended, what is left, and what was freed. */
  end(reaping: Reaping, look: Look, survey: Survey, found: Outcome): void {
    const { run } = reaping.judged.job;
    // No process was left at this look; only its own `curfew run` knows whether it had to kill.
    const ended = run === undefined || found !== 'reaped' ? found : (this.#tools.runOutcome?.(run) ?? found);
    const beforeUs = (ended === 'reaped' || ended === 'killed') && wasNeverHeard(reaping);
    const outcome = beforeUs ? 'vanished' : ended;
    const atMs = this.#tools.now();
    const freedByUs = outcome !== 'vanished' && mayHaveBeenHeard(reaping);
    // A job that a veto spares or that went by itself is recorded too: its end was asked for.
    if (reaping.intent === null) this.begin(reaping, look);
    const vetoes = survey.living.flatMap((target) => target.vetoes);
    const dead = reaping.freed.processes((key) => reaping.isDead(key));
    const alive = reaping.freed.processes((key) => !reaping.isDead(key));
    // Before the agent is told: its own last words are what the record is to keep.
    const tail = this.#tools.outputTail(reaping.judged.job);
    const telling = this.#tell(reaping, alive, outcome);
    const locks = freedByUs ? (this.#tools.leftLocks?.(reaping.judged.job, dead, look) ?? []) : [];
    this.#tools.journal.together(() => {
      if (vetoes.length > 0) this.append(reaping, { kind: 'veto', atMs, vetoes });
      if (dead.length > 0) this.append(reaping, { kind: 'died', atMs, pids: dead.map((row) => row.pid) });
      if (survey.overlooked === 'fleeting' && outcome === 'survived') this.append(reaping, noted(atMs, fleetingText));
      if (telling !== null) this.append(reaping, noted(atMs, telling.text));
      if (beforeUs) this.append(reaping, noted(atMs, beforeUsText));
      for (const path of locks) this.append(reaping, noted(this.#tools.now(), leftLock.say(path)));
      this.append(reaping, {
        kind: 'ended',
        atMs,
        outcome,
        survivors: alive.map(recordedProcess),
        // Curfew did not free what went before it heard a signal, or by another hand.
        freed: reaping.freed.freedBy((key) => freedByUs && reaping.isDead(key), this.#tools.portsInUse),
        outputTail: tail,
      });
    });
  }

  /** Null when there was nothing to tell or nowhere to tell it. */
  #tell(reaping: Reaping, alive: readonly ProcessRow[], outcome: Outcome): Telling | null {
    const { intent, output, events } = reaping;
    const ended = outcome === 'reaped' || outcome === 'killed' || outcome === 'survived';
    if (intent === null || output === null || !ended) return null;
    if (!events.some((event) => event.kind === 'signal' && event.signal.result === 'sent')) return null;
    const survivors = alive.map(({ pid }) => ({ pid }));
    const event = { ...intent, atMs: this.#tools.now(), outcome, survivors };
    return this.#tools.tellAgent(reaping.judged.job, output, event);
  }
}
