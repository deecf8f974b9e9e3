import { describe, expect, test } from 'vitest';
import type { ReapingState, ReapingStep } from '../../../app/reap/machine.ts';
import { crowdedOut, killing, nextReapingStep } from '../../../app/reap/machine.ts';
import type { Survey } from '../../../app/reap/target.ts';
import { sightOf, target, veto } from './targets.ts';

const plan = { signal: 'TERM', graceMs: 10_000, ...killing } as const;
const both = sightOf([target(69, 69), target(70, 69)]);
const none = sightOf([]);

/** Plays sights at moments (milliseconds) and gives every action on the way. */
const play = (...sights: readonly (readonly [number, Survey])[]): readonly string[] => {
  let state: ReapingState = { phase: 'starting' };
  const actions: string[] = [];
  for (const [atMs, sight] of sights) {
    const step: ReapingStep = nextReapingStep(state, sight, plan, atMs);
    state = step.state;
    const { action } = step;
    if (action.kind === 'signal') {
      const pids = action.orders.flatMap((order) =>
        order.to === 'group' ? order.members.map(({ pid }) => pid) : [order.target.pid],
      );
      actions.push([action.signal, ...pids, ...(action.resume.length > 0 ? ['+CONT'] : [])].join(' '));
    } else if (action.kind === 'wait') actions.push(`wait ${action.untilMs}`);
    else actions.push(action.kind === 'end' ? action.outcome : action.kind);
  }
  return actions;
};

describe('one reaping', () => {
  test('journal, ask, wait, done', () => {
    expect(play([0, both], [0, both], [1000, both], [2000, none])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 10000',
      'reaped',
    ]);
  });

  test('who doesn’t listen is killed when the grace is over', () => {
    expect(play([0, both], [0, both], [9999, both], [10_000, both], [10_200, none])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 10000',
      'KILL 69 70',
      'killed',
    ]);
  });

  test('a leader that died does not end it: the deaf member is killed all the same', () => {
    const deaf = sightOf([target(70, 69)]);
    expect(play([0, both], [0, both], [500, deaf], [10_000, deaf], [10_200, none])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 10000',
      'KILL 70',
      'killed',
    ]);
  });

  test('what was forked meanwhile is asked, once, and killed with the rest', () => {
    const grown = sightOf([target(69, 69), target(70, 69), target(71, 69)]);
    expect(play([0, both], [0, both], [500, grown], [1000, grown], [10_000, grown])).toEqual([
      'journal',
      'TERM 69 70',
      'TERM 71',
      'wait 10000',
      'KILL 69 70 71',
    ]);
  });

  test('a stopped process is made to run, so that it hears', () => {
    const stopped = sightOf([target(69, 69, { stopped: true }), target(70, 69)]);
    expect(play([0, stopped], [0, stopped])).toEqual(['journal', 'TERM 69 70 +CONT']);
  });

  test('one veto before the first signal stops everything', () => {
    const kept = sightOf([target(69, 69), target(70, 69, { vetoes: [veto] })]);
    expect(play([0, kept])).toEqual(['spared']);
    expect(play([0, both], [0, kept])).toEqual(['journal', 'spared']);
  });

  test('none is left before the first signal', () => {
    expect(play([0, none])).toEqual(['vanished']);
    expect(play([0, both], [0, none])).toEqual(['journal', 'vanished']);
  });

  test('a veto in the grace protects who has it, and the others are killed', () => {
    const kept = sightOf([target(69, 69), target(70, 69, { vetoes: [veto] })]);
    const alone = sightOf([target(70, 69, { vetoes: [veto] })]);
    expect(play([0, both], [0, both], [500, kept], [10_000, kept], [10_200, alone])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 10000',
      'KILL 69',
      'survived',
    ]);
  });

  test('a look that may have missed a process ends nothing: one that shows again is signalled, one that stays away for ten looks is gone', () => {
    const unsure = { ...none, overlooked: 'maybe' } as const;
    const child = sightOf([target(71, 69)]);
    expect(play([0, both], [0, both], [500, unsure], [550, child], [600, unsure], [650, none])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 550',
      'TERM 71',
      'wait 650',
      'reaped',
    ]);
    const looks = Array.from({ length: 11 }, (_, at) => [10_200 + at * 50, unsure] as const);
    const actions = play([0, both], [0, both], [10_000, both], ...looks);
    expect(actions.slice(2, -1)).toEqual(['KILL 69 70', ...looks.slice(0, -1).map(([at]) => `wait ${at + 50}`)]);
    expect(actions.at(-1)).toBe('killed');
  });

  test('a process is in its group that no look sees: it is looked for at once, and the job has not ended', () => {
    const fleeting = { ...none, overlooked: 'fleeting' } as const;
    const child = sightOf([target(71, 69)]);
    expect(play([0, both], [0, both], [500, fleeting], [510, child], [520, none])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 500',
      'TERM 71',
      'reaped',
    ]);
    const looks = Array.from({ length: 31 }, (_, at) => [500 + at, fleeting] as const);
    const actions = play([0, both], [0, both], ...looks);
    expect(actions.slice(2, -1)).toEqual(looks.slice(0, -1).map(([at]) => `wait ${at}`));
    expect(actions.at(-1)).toBe('survived');
  });

  test('who can’t be killed survives after ten rounds', () => {
    const rounds = Array.from({ length: 12 }, (_, at) => [10_000 + at * 200, both] as const);
    const actions = play([0, both], [0, both], ...rounds);
    expect(actions.filter((action) => action.startsWith('KILL'))).toHaveLength(killing.killRounds);
    expect(actions.at(-1)).toBe('survived');
  });

  test('who was sent KILL and had no turn since is waited for, and survives only when even that is over; a newcomer is not', () => {
    const crowded = sightOf([target(70, 69, { runnable: true })]);
    const first = Array.from({ length: 10 }, (_, at) => [10_000 + at * 200, crowded] as const);
    const more = Array.from({ length: 40 }, (_, at) => [12_800 + at * 1000, crowded] as const);
    expect(
      play([0, both], [0, both], ...first, [12_000, crowded], [12_800, crowded], [13_000, none]).slice(-3),
    ).toEqual(['wait 12800', 'KILL 70', 'killed']);
    const all = play([0, both], [0, both], ...first, ...more);
    expect(all.filter((action) => action === 'KILL 70')).toHaveLength(killing.killRounds + crowdedOut.rounds);
    expect(all.at(-1)).toBe('survived');
    // One of them waits in the kernel, the other for a turn.
    const mixed = sightOf([target(69, 69), target(70, 69, { runnable: true })]);
    const rounds = Array.from({ length: 10 }, (_, at) => [10_000 + at * 200, mixed] as const);
    expect(play([0, both], [0, both], ...rounds, [12_000, mixed]).at(-1)).toBe('wait 12800');
    // Each time another process, which was just forked: that goes on for ever.
    const others = Array.from(
      { length: 12 },
      (_, at) => [10_000 + at * 200, sightOf([target(80 + at, 69, { runnable: true })])] as const,
    );
    expect(play([0, both], [0, both], ...others).filter((action) => action.startsWith('KILL'))).toHaveLength(
      killing.killRounds,
    );
  });

  test('who is protected by the end of the grace is left, without a KILL', () => {
    const kept = sightOf([target(69, 69, { vetoes: [veto] })]);
    expect(play([0, both], [0, both], [10_000, kept])).toEqual(['journal', 'TERM 69 70', 'survived']);
  });

  test('KILL needs no CONT, and is sent again only after a pause', () => {
    const stopped = sightOf([target(69, 69, { stopped: true })]);
    const next = 10_000 + killing.killPauseMs;
    expect(play([0, both], [0, both], [10_000, stopped], [next - 1, stopped], [next, stopped])).toEqual([
      'journal',
      'TERM 69 70',
      'KILL 69',
      `wait ${next}`,
      'KILL 69',
    ]);
  });

  test('a clock that was set back cuts no wait short, and kills nothing early', () => {
    expect(play([50_000, both], [50_000, both], [1000, both], [60_000, both])).toEqual([
      'journal',
      'TERM 69 70',
      'wait 60000',
      'KILL 69 70',
    ]);
  });
});
