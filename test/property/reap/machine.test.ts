import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReapingAction, ReapingPlan, ReapingState } from '../../../app/reap/machine.ts';
import { crowdedOut, nextReapingStep } from '../../../app/reap/machine.ts';
import type { Order, Survey, Target } from '../../../app/reap/target.ts';
import { sightOf, target, veto } from '../../unit/reap/targets.ts';

const targets: fc.Arbitrary<readonly Target[]> = fc.uniqueArray(
  fc
    .record({
      pid: fc.integer({ min: 2, max: 12 }),
      pgid: fc.integer({ min: 0, max: 12 }),
      stopped: fc.boolean(),
      runnable: fc.boolean(),
      vetoed: fc.constantFrom(false, false, false, true),
    })
    .map(({ pid, pgid, stopped, runnable, vetoed }) =>
      target(pid, pgid, { stopped, runnable, vetoes: vetoed ? [veto] : [] }),
    ),
  { selector: ({ pid }) => pid, maxLength: 8 },
);

const sights: fc.Arbitrary<Survey> = fc
  .record({ living: targets, shared: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }) })
  .map(({ living, shared }) => sightOf(living, ...shared));

const plans: fc.Arbitrary<ReapingPlan> = fc.record({
  signal: fc.constantFrom('TERM', 'INT', 'HUP', 'QUIT'),
  graceMs: fc.nat({ max: 300_000 }),
  killRounds: fc.integer({ min: 1, max: 10 }),
  killPauseMs: fc.integer({ min: 1, max: 500 }),
});

/**
 * Surveys with the milliseconds before each; more than any reaping needs that always scans when
 * told to.
 */
const histories = fc.array(fc.record({ sight: sights, laterMs: fc.nat({ max: 60_000 }) }), {
  minLength: 1,
  maxLength: 40,
});

interface Played {
  readonly atMs: number;
  readonly sight: Survey;
  readonly before: ReapingState;
  readonly action: ReapingAction;
}

const play = (
  plan: ReapingPlan,
  history: readonly { readonly sight: Survey; readonly laterMs: number }[],
): readonly Played[] => {
  const played: Played[] = [];
  let state: ReapingState = { phase: 'starting' };
  let atMs = 0;
  for (const { sight, laterMs } of history) {
    atMs += laterMs;
    const step = nextReapingStep(state, sight, plan, atMs);
    played.push({ atMs, sight, before: state, action: step.action });
    state = step.state;
  }
  return played;
};

const toldBy = (order: Order): readonly Target[] => (order.to === 'group' ? order.members : [order.target]);
const ordersOf = ({ action }: Played): readonly Order[] =>
  action.kind === 'signal' ? [...action.orders, ...action.resume] : [];

const always = (holds: (played: readonly Played[], plan: ReapingPlan) => void): void => {
  fc.assert(
    fc.property(plans, histories, (plan, history) => {
      holds(play(plan, history), plan);
    }),
    { numRuns: 2000 },
  );
};

describe('whatever is seen of a job while it is reaped', () => {
  test('nothing is signalled before the intent is on disk', () => {
    always((played) => {
      const journal = played.findIndex(({ action }) => action.kind === 'journal');
      const signal = played.findIndex(({ action }) => action.kind === 'signal');
      expect(signal === -1 || (journal !== -1 && journal < signal)).toBe(true);
    });
  });

  test('only what was seen living and free is signalled, and nothing twice by one signal', () => {
    always((played) => {
      for (const one of played) {
        if (one.action.kind !== 'signal') continue;
        for (const orders of [one.action.orders, one.action.resume]) {
          const told = orders.flatMap(toldBy);
          expect(new Set(told).size).toBe(told.length);
          expect(told.filter((each) => each.vetoes.length > 0 || !one.sight.living.includes(each))).toEqual([]);
        }
      }
    });
  });

  test('a group is signalled only with its leader seen, all of it free, and no stranger in it', () => {
    always((played) => {
      for (const one of played) {
        for (const order of ordersOf(one)) {
          if (order.to !== 'group') continue;
          const inside = one.sight.living.filter(({ pgid }) => pgid === order.pgid);
          expect(order.members).toEqual(inside);
          expect(inside.some(({ pid, key }) => pid === order.pgid && key === order.leader)).toBe(true);
          expect(one.sight.sharedGroups.has(order.pgid)).toBe(false);
          expect(order.pgid).toBeGreaterThan(1);
        }
      }
    });
  });

  test('KILL never comes before the grace period is over, and never first', () => {
    always((played, plan) => {
      const asked = played.find(({ action }) => action.kind === 'signal');
      for (const { atMs, action } of played) {
        if (action.kind !== 'signal' || action.signal !== 'KILL') continue;
        expect(atMs).toBeGreaterThanOrEqual((asked?.atMs ?? Infinity) + plan.graceMs);
        expect(asked?.action).not.toMatchObject({ signal: 'KILL' });
      }
    });
  });

  test('a veto before the first signal ends it; a survey with none living ends it; an end is final', () => {
    always((played) => {
      for (const { before, sight, action } of played) {
        const early = before.phase === 'starting' || before.phase === 'journalled';
        const vetoed = sight.living.some(({ vetoes }) => vetoes.length > 0);
        const mustEnd = sight.living.length === 0 || (early && vetoed) || before.phase === 'ended';
        expect(mustEnd && action.kind !== 'end').toBe(false);
      }
      const ends = played.flatMap(({ action }) => (action.kind === 'end' ? [action.outcome] : []));
      expect(new Set(ends).size).toBeLessThanOrEqual(1);
    });
  });

  test('it always terminates: within the grace, the rounds of KILL and their pauses, if it scans as often as told', () => {
    fc.assert(
      fc.property(plans, fc.array(sights, { minLength: 1, maxLength: 12 }), (plan, seen) => {
        let state: ReapingState = { phase: 'starting' };
        let atMs = 0;
        let steps = 0;
        for (; state.phase !== 'ended' && steps < 200; steps += 1) {
          const sight = seen[steps % seen.length];
          if (sight === undefined) throw new Error('no sight');
          const step = nextReapingStep(state, sight, plan, atMs);
          state = step.state;
          if (step.action.kind === 'wait') atMs = step.action.untilMs;
          else atMs += 1;
        }
        expect(state.phase).toBe('ended');
        const killingMs = plan.killRounds * plan.killPauseMs + (crowdedOut.rounds + 1) * crowdedOut.pauseMs;
        expect(atMs).toBeLessThanOrEqual(plan.graceMs + killingMs + steps);
      }),
      { numRuns: 2000 },
    );
  });
});
