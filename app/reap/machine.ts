import type { Outcome } from '../history/incident.ts';
import type { IdentityKey } from '../process/identity.ts';
import type { FirstSignalName, SignalName } from '../process/signal.ts';
import { type Order, type Survey, type Target, ordersFor } from './target.ts';

export interface ReapingPlan {
  readonly signal: FirstSignalName;
  readonly graceMs: number;
  /** How often KILL is tried before what is left counts as survivors. */
  readonly killRounds: number;
  /** Pause between two rounds of KILL, milliseconds. */
  readonly killPauseMs: number;
}

/**
 * Ten rounds over two seconds: a process that KILL doesn't end in that time waits in the kernel,
 * and more signals don't help it. Or it has had no turn since: see `crowdedOut`.
 */
export const killing = { killRounds: 10, killPauseMs: 200 } as const;

/**
 * Half a minute more where a process that was sent KILL is ready to run all the while: the kernel
 * woke it to end, and the machine is so busy that it gets no turn. Only a process that lives for
 * another reason is called a survivor.
 */
export const crowdedOut = { rounds: 30, pauseMs: 1_000 } as const;

/**
 * Ten more looks over half a second, where one that saw no process could not be sure of it: others
 * may come and go all the while.
 */
const makingSure = { looks: 10, pauseMs: 50 } as const;

/** Without a pause for a process known to be there that none saw: a look may catch it. */
const catching = { looks: 30 } as const;

/** Where a reaping stands. */
export type ReapingState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'journalled' }
  | {
      readonly phase: 'asked';
      readonly askedAtMs: number;
      /** The processes that were sent the first signal. */
      readonly asked: ReadonlySet<IdentityKey>;
      /** How many looks saw no process and could not be sure of it. */
      readonly unsure?: number;
    }
  | {
      readonly phase: 'killing';
      readonly round: number;
      readonly killedAtMs: number;
      /** The processes that were sent KILL so far. */
      readonly killed: ReadonlySet<IdentityKey>;
      readonly unsure?: number;
    }
  | { readonly phase: 'ended'; readonly outcome: Outcome };

/** The next step. After `journal` and `signal` the job is enumerated and confirmed anew. */
export type ReapingAction =
  | { readonly kind: 'journal' }
  | {
      readonly kind: 'signal';
      readonly signal: SignalName;
      readonly orders: readonly Order[];
      readonly resume: readonly Order[];
    }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'end'; readonly outcome: Outcome };

/** The next state and what to do on the way there. */
export interface ReapingStep {
  readonly state: ReapingState;
  readonly action: ReapingAction;
}

const end = (outcome: Outcome): ReapingStep => ({
  state: { phase: 'ended', outcome },
  action: { kind: 'end', outcome },
});

const signal = (state: ReapingState, name: SignalName, targets: readonly Target[], survey: Survey): ReapingStep => ({
  state,
  action: {
    kind: 'signal',
    signal: name,
    orders: ordersFor(targets, survey),
    // KILL reaches stopped processes; the others must run to hear the signal.
    resume:
      name === 'KILL'
        ? []
        : ordersFor(
            targets.filter((target) => target.stopped),
            survey,
          ),
  },
});

const keysOf = (targets: readonly Target[]): ReadonlySet<IdentityKey> => new Set(targets.map(({ key }) => key));

const free = (survey: Survey): readonly Target[] => survey.living.filter((target) => target.vetoes.length === 0);

/** Before the first signal one veto stops all: half a job ended is worse than none. */
const before = (survey: Survey, next: () => ReapingStep): ReapingStep => {
  if (survey.living.length === 0) return end('vanished');
  return survey.living.some((target) => target.vetoes.length > 0) ? end('spared') : next();
};

/** Only what is sure, or was looked for again and again, counts as ended. */
const noneLeft = (
  state: Extract<ReapingState, { phase: 'asked' | 'killing' }>,
  outcome: Outcome,
  survey: Survey,
  nowMs: number,
): ReapingStep => {
  const unsure = (state.unsure ?? 0) + 1;
  if (survey.overlooked === 'fleeting')
    return unsure > catching.looks
      ? end('survived')
      : { state: { ...state, unsure }, action: { kind: 'wait', untilMs: nowMs } };
  if (survey.overlooked === 'none' || unsure > makingSure.looks) return end(outcome);
  return { state: { ...state, unsure }, action: { kind: 'wait', untilMs: nowMs + makingSure.pauseMs } };
};

const inGrace = (
  state: Extract<ReapingState, { phase: 'asked' }>,
  survey: Survey,
  plan: ReapingPlan,
  nowMs: number,
): ReapingStep => {
  if (survey.living.length === 0) return noneLeft(state, 'reaped', survey, nowMs);
  const targets = free(survey);
  const deadlineMs = state.askedAtMs + plan.graceMs;
  if (nowMs >= deadlineMs) {
    if (targets.length === 0) return end('survived');
    return signal({ phase: 'killing', round: 1, killedAtMs: nowMs, killed: keysOf(targets) }, 'KILL', targets, survey);
  }
  const newcomers = targets.filter((target) => !state.asked.has(target.key));
  if (newcomers.length > 0)
    return signal(
      { ...state, asked: new Set([...state.asked, ...newcomers.map((target) => target.key)]) },
      plan.signal,
      newcomers,
      survey,
    );
  return { state, action: { kind: 'wait', untilMs: deadlineMs } };
};

const whileKilling = (
  state: Extract<ReapingState, { phase: 'killing' }>,
  survey: Survey,
  plan: ReapingPlan,
  nowMs: number,
): ReapingStep => {
  if (survey.living.length === 0) return noneLeft(state, 'killed', survey, nowMs);
  const targets = free(survey);
  const isCrowdedOut = targets.some(({ key, runnable }) => runnable === true && state.killed.has(key));
  const isLate = state.round >= plan.killRounds;
  const nextMs = state.killedAtMs + (isLate && isCrowdedOut ? crowdedOut.pauseMs : plan.killPauseMs);
  if (nowMs < nextMs) return { state, action: { kind: 'wait', untilMs: nextMs } };
  const maxRounds = plan.killRounds + (isCrowdedOut ? crowdedOut.rounds : 0);
  if (state.round >= maxRounds || targets.length === 0) return end('survived');
  const killed = new Set([...state.killed, ...keysOf(targets)]);
  return signal({ ...state, round: state.round + 1, killedAtMs: nowMs, killed }, 'KILL', targets, survey);
};

/**
 * One step of a reaping: pure, total, and bounded (it always ends, after at most the grace and the
 * rounds of KILL). `survey` must have been taken after the previous action. A leader that died does
 * not end it; what was forked meanwhile is asked and killed like the rest.
 */
export const nextReapingStep = (state: ReapingState, survey: Survey, plan: ReapingPlan, nowMs: number): ReapingStep => {
  switch (state.phase) {
    case 'starting':
      return before(survey, () => ({ state: { phase: 'journalled' }, action: { kind: 'journal' } }));
    case 'journalled':
      return before(survey, () =>
        signal(
          { phase: 'asked', askedAtMs: nowMs, asked: new Set(survey.living.map((target) => target.key)) },
          plan.signal,
          survey.living,
          survey,
        ),
      );
    case 'asked':
      return inGrace(state, survey, plan, nowMs);
    case 'killing':
      return whileKilling(state, survey, plan, nowMs);
    case 'ended':
      return end(state.outcome);
  }
};
