import type { Outcome, SignalRecord } from '../../app/history/incident.ts';
import type { IdentityKey } from '../../app/process/identity.ts';
import { type ReapingAction, type ReapingPlan, type ReapingState, nextReapingStep } from '../../app/reap/machine.ts';
import type { Survey } from '../../app/reap/target.ts';

export type SignalAction = Extract<ReapingAction, { readonly kind: 'signal' }>;

export interface Delivered {
  readonly records: readonly SignalRecord[];
  /** Targets of which no answer says if the signal reached them, and why. Null: all answered. */
  readonly unanswered: { readonly keys: ReadonlySet<IdentityKey>; readonly why: string } | null;
}

/** One reaping of the driver. `Scene`: what is enumerated, a look at a machine or a run. */
export interface DrivenReaping<Scene> {
  readonly plan: ReapingPlan;
  state: ReapingState;
  /** When the next step is due at the latest, by the steady clock, milliseconds. */
  waitUntilMs: number;
  /** How often answers to signals were missing. */
  breaks: number;
  /** The grace counts anew from the next survey on: targets may not have been asked. */
  restartsGrace: boolean;
  /** Enumerates the job anew, and takes hold of members that are not held yet. */
  survey: (scene: Scene, nowMs: number) => Survey;
}

/** Records: intents before the first signal, results after. What it throws stops the reaping. */
export interface DriverRecord<Reaping, Scene> {
  /** True once the intent is on disk. */
  readonly isBegun: (reaping: Reaping) => boolean;
  /** Writes intents. Gives those that could not be written, with their errors. */
  readonly beginAll: (reapings: readonly Reaping[], scene: Scene) => ReadonlyMap<Reaping, unknown>;
  /** Several writes as one durable write. */
  readonly together: (write: () => void) => void;
  readonly signalled: (reaping: Reaping, delivered: Delivered, action: SignalAction) => void;
  readonly end: (reaping: Reaping, scene: Scene, survey: Survey, outcome: Outcome) => void;
}

/**
 * What differs between the ways in which signals reach processes. `Waiting` is what a delivery may
 * have to wait for: `never` where it is done at once, a promise where another machine answers.
 */
export interface Deliverer<Reaping, Scene, Waiting> {
  /** Signals orders, each confirmed just before (contract 6, 7), then CONT to stopped targets. */
  readonly deliver: (reaping: Reaping, scene: Scene, action: SignalAction) => Generator<Waiting, Delivered, unknown>;
  /** Between the surveys and all that follows; nothing is lost when it goes no further. */
  readonly afterSurvey?: (batch: readonly Reaping[]) => Generator<Waiting, void, unknown>;
  /** Before the end is written: what the record is to hold can still be fetched. */
  readonly beforeEnd?: (
    reaping: Reaping,
    scene: Scene,
    survey: Survey,
    outcome: Outcome,
  ) => Generator<Waiting, void, unknown>;
  /**
   * True where a new survey comes between the intent and the first signal. Else the signal goes by
   * the survey that the intent was written from.
   */
  readonly surveysAfterIntent?: (reaping: Reaping) => boolean;
}

export type PassResult =
  /** It waits; the next survey is due at `waitUntilMs` at the latest. */
  | 'waits'
  /** The next survey is due at once. */
  | 'signalled'
  | 'recorded'
  | 'ended'
  /** Given up: nothing more is signalled. */
  | { readonly error: unknown };

/** Breaks after which the grace goes on whatever was heard: a reaping must end. */
const maxGraceRestarts = 3;

interface Surveyed<Reaping> {
  readonly reaping: Reaping;
  readonly survey: Survey;
}

interface Taken<Reaping> extends Surveyed<Reaping> {
  readonly state: ReapingState;
  readonly action: ReapingAction;
  readonly delivered: Delivered | null;
}

const attempt = (work: () => PassResult): PassResult => {
  try {
    return work();
  } catch (error) {
    return { error };
  }
};

/** True for a reaping that the pass has not finished with. */
const isOpen = (result: PassResult | undefined): boolean => result === undefined;

/**
 * The first signal did not reach these targets, or they were another program at that moment: they
 * are asked when the next survey finds them due. Where answers are missing, the whole grace counts
 * anew, so that KILL reaches no process that was not asked.
 */
const withoutMissed = (state: ReapingState, { records, unanswered }: Delivered): ReapingState => {
  if (state.phase !== 'asked') return state;
  const changed = new Set(records.filter(({ result }) => result === 'vetoed').flatMap(({ pids }) => pids));
  // A key ends in the pid and the start time.
  const isMissed = (key: IdentityKey): boolean =>
    unanswered?.keys.has(key) === true || changed.has(Number(key.split(':').at(-2)));
  return { ...state, asked: new Set([...state.asked].filter((key) => !isMissed(key))) };
};

/**
 * Carries out reapings: the one place in which a step of the state machine becomes a record and a
 * signal. It keeps the order of the safety contract on every machine: survey, intent on disk (8),
 * confirmation and signal (6, 7), result on disk, a new survey (7). It never looks by itself; see
 * drive.ts.
 */
export class ReapingDriver<Reaping extends DrivenReaping<Scene>, Scene, Waiting> {
  readonly #deliverer: Deliverer<Reaping, Scene, Waiting>;
  readonly #record: DriverRecord<Reaping, Scene>;
  readonly #steadyNow: () => number;

  /** @param steadyNow a never-set clock in milliseconds, which counts graces and pauses */
  constructor(
    deliverer: Deliverer<Reaping, Scene, Waiting>,
    record: DriverRecord<Reaping, Scene>,
    steadyNow: () => number,
  ) {
    this.#deliverer = deliverer;
    this.#record = record;
    this.#steadyNow = steadyNow;
  }

  /**
   * Takes reapings as far as this scene allows, with two durable writes for all of them: their
   * intents, and what came of it. An error of one gives up that one only.
   */
  *pass(batch: readonly Reaping[], scene: Scene): Generator<Waiting, ReadonlyMap<Reaping, PassResult>, unknown> {
    const results = new Map<Reaping, PassResult>();
    const surveyed = this.#survey(batch, scene, results);
    yield* this.#deliverer.afterSurvey?.(batch) ?? [];
    this.#begin(surveyed, scene, results);
    const taken: Taken<Reaping>[] = [];
    for (const one of surveyed) {
      if (!isOpen(results.get(one.reaping))) continue;
      try {
        taken.push(yield* this.#act(one, scene));
      } catch (error) {
        results.set(one.reaping, { error });
      }
    }
    this.#settle(taken, scene, results);
    return results;
  }

  #survey(batch: readonly Reaping[], scene: Scene, results: Map<Reaping, PassResult>): readonly Surveyed<Reaping>[] {
    const surveyed: Surveyed<Reaping>[] = [];
    for (const reaping of batch) {
      try {
        const nowMs = this.#steadyNow();
        surveyed.push({ reaping, survey: reaping.survey(scene, nowMs) });
        if (reaping.restartsGrace && reaping.state.phase === 'asked')
          reaping.state = { ...reaping.state, askedAtMs: nowMs };
        reaping.restartsGrace = false;
      } catch (error) {
        results.set(reaping, { error });
      }
    }
    return surveyed;
  }

  #begin(surveyed: readonly Surveyed<Reaping>[], scene: Scene, results: Map<Reaping, PassResult>): void {
    const nowMs = this.#steadyNow();
    const next = new Map<Reaping, ReapingState>();
    for (const { reaping, survey } of surveyed) {
      const { state, action } = nextReapingStep(reaping.state, survey, reaping.plan, nowMs);
      if (action.kind === 'journal') next.set(reaping, state);
    }
    if (next.size === 0) return;
    const failed = this.#record.beginAll([...next.keys()], scene);
    for (const [reaping, state] of next) {
      if (failed.has(reaping)) {
        results.set(reaping, { error: failed.get(reaping) });
        continue;
      }
      reaping.state = state;
      if (this.#deliverer.surveysAfterIntent?.(reaping) === true) results.set(reaping, 'recorded');
    }
  }

  *#act({ reaping, survey }: Surveyed<Reaping>, scene: Scene): Generator<Waiting, Taken<Reaping>, unknown> {
    const { state, action } = nextReapingStep(reaping.state, survey, reaping.plan, this.#steadyNow());
    // Only where it could not begin, and then it was given up.
    if (action.kind === 'journal') throw new Error('a reaping that goes on has no record');
    if (action.kind === 'end') yield* this.#deliverer.beforeEnd?.(reaping, scene, survey, action.outcome) ?? [];
    const delivered = action.kind === 'signal' ? yield* this.#deliverer.deliver(reaping, scene, action) : null;
    return { reaping, survey, state, action, delivered };
  }

  /** Writes what came of it. */
  #settle(taken: readonly Taken<Reaping>[], scene: Scene, results: Map<Reaping, PassResult>): void {
    const settleOne = (one: Taken<Reaping>): void =>
      void results.set(
        one.reaping,
        attempt(() => this.#write(one, scene)),
      );
    const writes = taken.filter(({ action }) => action.kind !== 'wait');
    for (const one of taken) if (one.action.kind === 'wait') settleOne(one);
    // One that has no record yet and ends gets one in which a rival may stand, so it is written on
    // its own.
    const recorded = writes.filter(({ reaping }) => this.#record.isBegun(reaping));
    for (const one of writes) if (!recorded.includes(one)) settleOne(one);
    if (recorded.length === 0) return;
    try {
      this.#record.together(() => recorded.forEach(settleOne));
    } catch (error) {
      // What was not written may have been sent all the same: nothing more is signalled.
      for (const { reaping } of recorded) results.set(reaping, { error });
    }
  }

  #write({ reaping, survey, state, action, delivered }: Taken<Reaping>, scene: Scene): PassResult {
    if (action.kind === 'end') {
      reaping.state = state;
      this.#record.end(reaping, scene, survey, action.outcome);
      return 'ended';
    }
    if (action.kind === 'signal' && delivered !== null) {
      this.#record.signalled(reaping, delivered, action);
      reaping.state = withoutMissed(state, delivered);
      if (delivered.unanswered !== null) {
        reaping.breaks += 1;
        reaping.restartsGrace = reaping.breaks <= maxGraceRestarts;
      }
      // What the signal did is seen by the next survey only.
      reaping.waitUntilMs = state.phase === 'asked' ? state.askedAtMs + reaping.plan.graceMs : this.#steadyNow();
      return 'signalled';
    }
    reaping.state = state;
    if (action.kind === 'wait') reaping.waitUntilMs = action.untilMs;
    return 'waits';
  }
}
