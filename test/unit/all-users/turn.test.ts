import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childEndOf, childStatus } from '../../../app/all-users/child-status.ts';
import {
  afterEnd,
  isDue,
  startOrder,
  withoutProcesses,
  type ChildEnd,
  type SeenUser,
  type Turn,
} from '../../../app/all-users/turn.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const none: ReadonlySet<string> = new Set();
const idle: SeenUser = { hasProcesses: true, agents: none };
const withAgent = (...agents: readonly string[]): SeenUser => ({ hasProcesses: true, agents: new Set(agents) });
const away: SeenUser = { hasProcesses: false, agents: none };
const running = (sinceMs: number, failures = 0): Turn => ({ kind: 'running', sinceMs, failures });

describe('a user', () => {
  test('is looked at once when it appears, and not while it is supervised', () => {
    expect(isDue({ kind: 'absent' }, away, 0)).toBe(false);
    expect(isDue({ kind: 'absent' }, idle, 0)).toBe(true);
    expect(isDue(running(0), withAgent('7:1'), hour)).toBe(false);
  });

  test('without anything to watch rests until an agent starts', () => {
    const rests = afterEnd(running(0), 'rested', none, minute);
    expect(isDue(rests, idle, 2 * minute)).toBe(false);
    expect(isDue(rests, withAgent('7:1'), 2 * minute)).toBe(true);
  });

  test('rests on beside what only has the name of an agent, and not beside the next one', () => {
    const rests = afterEnd(running(0), 'rested', new Set(['7:1']), minute);
    expect(isDue(rests, withAgent('7:1'), 2 * minute)).toBe(false);
    expect(isDue(rests, withAgent('7:1', '8:2'), 2 * minute)).toBe(true);
    expect(isDue(rests, withAgent('7:9'), 2 * minute)).toBe(true);
  });

  test('who rests is looked at again every hour, and when it has been away', () => {
    const rests = afterEnd(running(0), 'rested', none, 0);
    expect(isDue(rests, idle, hour - 1)).toBe(false);
    expect(isDue(rests, idle, hour)).toBe(true);
    expect(isDue(rests, away, hour)).toBe(false);
    expect(isDue(withoutProcesses(rests), idle, minute)).toBe(true);
  });

  test('with a Curfew of its own is tried again after 5 min', () => {
    const waits = afterEnd(running(0), 'stood-back', none, 0);
    expect(isDue(waits, withAgent('7:1'), 5 * minute - 1)).toBe(false);
    expect(isDue(waits, idle, 5 * minute)).toBe(true);
  });

  test('whose child fails is tried again after ever longer waits, of an hour at most', () => {
    let turn: Turn = running(0);
    let nowMs = 0;
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const ended = afterEnd(turn, 'failed', none, nowMs);
      if (ended.kind !== 'waiting') throw new Error(ended.kind);
      waits.push((ended.untilMs - nowMs) / second);
      expect(isDue(ended, withAgent('7:1'), ended.untilMs - 1)).toBe(false);
      expect(isDue(ended, idle, ended.untilMs)).toBe(true);
      nowMs = ended.untilMs;
      turn = running(nowMs, ended.failures);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]);
  });

  test('whose child ran well before it failed waits as after the first failure', () => {
    const waits = afterEnd(running(0, 5), 'failed', none, 10 * minute);
    expect(waits).toMatchObject({ untilMs: 10 * minute + 10 * second, failures: 1 });
  });

  test('logging out and in shortens no wait', () => {
    const waits = afterEnd(running(0), 'failed', none, 0);
    expect(withoutProcesses(waits)).toBe(waits);
  });

  test('never has two children, and never waits for more than an hour', () => {
    const ends: readonly ChildEnd[] = ['rested', 'stood-back', 'no-home', 'failed'];
    const step = fc.record({ end: fc.constantFrom(...ends), after: fc.nat(2 * hour) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let nowMs = 0;
        let turn: Turn = { kind: 'absent' };
        for (const { end, after } of steps) {
          const failures = turn.kind === 'waiting' ? turn.failures : 0;
          turn = running(nowMs, failures);
          expect(isDue(turn, withAgent('1:1'), nowMs + after)).toBe(false);
          nowMs += after;
          turn = afterEnd(turn, end, none, nowMs);
          expect(isDue(turn, idle, nowMs + hour)).toBe(true);
          nowMs += hour;
        }
      }),
    );
  });
});

describe('of those that are due', () => {
  const due = [
    { uid: 1, hasAgents: false, sinceMs: 0 },
    { uid: 2, hasAgents: true, sinceMs: 9 },
    { uid: 3, hasAgents: true, sinceMs: 5 },
  ];

  test('users with agents come first, then those who have waited longest', () => {
    expect(startOrder(due, 9)).toEqual([3, 2, 1]);
  });

  test('no more are started than there is room for', () => {
    expect(startOrder(due, 1)).toEqual([3]);
    expect(startOrder(due, 0)).toEqual([]);
    expect(startOrder(due, -4)).toEqual([]);
  });
});

test('the exit status of a child says why it ended, and any other is a failure', () => {
  for (const [end, status] of Object.entries(childStatus)) expect(childEndOf(status)).toBe(end);
  for (const status of [2, 3, 127, 134, null]) expect(childEndOf(status)).toBe('failed');
});
