import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { awakeTicks, observeAwake, type AwakeStretch } from '../../app/process/awake.ts';

const ticksPerSecond = 100;

/** A day of a machine: phases of being awake, scanned now and then, and asleep, in ticks. */
const parts = fc.array(
  fc.record({ awake: fc.nat(500_000), asleep: fc.oneof(fc.constant(0), fc.nat(5_000_000)), isLookedAt: fc.boolean() }),
  { minLength: 1, maxLength: 20 },
);

/** Plays it: what Curfew remembers, and the truth of each moment. */
const played = (day: readonly { readonly awake: number; readonly asleep: number; readonly isLookedAt: boolean }[]) => {
  let now = 0;
  let suspended = 0;
  let stretches: readonly AwakeStretch[] = [];
  const truth: { readonly ticks: number; readonly awake: number }[] = [];
  for (const { awake, asleep, isLookedAt } of [...day, { awake: 0, asleep: 0, isLookedAt: true }]) {
    for (const share of [0, 0.5, 1]) truth.push({ ticks: now + awake * share, awake: now + awake * share - suspended });
    now += awake;
    if (isLookedAt) stretches = observeAwake(stretches, { nowTicks: now, ticksPerSecond, suspendedTicks: suspended });
    now += asleep;
    suspended += asleep;
  }
  return { now, stretches, truth, awakeNow: now - suspended };
};

test('nothing ever counts as older than it was awake, but for the grain of the clock', () => {
  fc.assert(
    fc.property(parts, (day) => {
      const { now, stretches, truth, awakeNow } = played(day);
      for (const moment of truth) {
        const grain = ticksPerSecond * day.length;
        expect(awakeTicks(stretches, moment.ticks, now)).toBeLessThanOrEqual(awakeNow - moment.awake + grain);
      }
    }),
    { numRuns: 2000 },
  );
});

/** The same with a clock that is set between two looks, forward or back. */
const setParts = fc.array(
  fc.record({ awake: fc.nat(500_000), jump: fc.oneof(fc.constant(0), fc.integer({ min: -5e6, max: 5e6 })) }),
  { minLength: 1, maxLength: 20 },
);

test('no clock that is set makes anything older than it was awake', () => {
  fc.assert(
    fc.property(setParts, fc.boolean(), (day, looksEarly) => {
      let now = 10_000_000;
      let gained = 0;
      let stretches: readonly AwakeStretch[] = [];
      const look = (): void => {
        stretches = observeAwake(stretches, {
          nowTicks: now,
          ticksPerSecond,
          suspendedTicks: gained,
          clockIsSet: true,
        });
      };
      const truth: { readonly ticks: number; readonly awake: number }[] = [];
      if (looksEarly) look();
      for (const { awake, jump } of day) {
        for (const share of [0, 0.5, 1])
          truth.push({ ticks: now + awake * share, awake: now + awake * share - gained });
        now += awake;
        if (jump % 2 === 0) look();
        now += jump;
        gained += jump;
        look();
      }
      for (const moment of truth) {
        const grain = ticksPerSecond * day.length;
        expect(awakeTicks(stretches, moment.ticks, now)).toBeLessThanOrEqual(now - gained - moment.awake + grain);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a longer sleep never makes anything older', () => {
  fc.assert(
    fc.property(parts, fc.nat(20), fc.nat(5_000_000), (day, index, more) => {
      const longer = day.map((part, at) =>
        at === index % day.length ? { ...part, asleep: part.asleep + more } : part,
      );
      const first = (one: ReturnType<typeof played>): number => awakeTicks(one.stretches, 0, one.now);
      expect(first(played(longer))).toBeLessThanOrEqual(first(played(day)) + ticksPerSecond * day.length);
    }),
    { numRuns: 2000 },
  );
});

test('without sleep all of it counts', () => {
  fc.assert(
    fc.property(parts, fc.nat(1_000_000), (day, since) => {
      const { now, stretches } = played(day.map((part) => ({ ...part, asleep: 0 })));
      expect(awakeTicks(stretches, since, now)).toBe(Math.max(0, now - since));
    }),
    { numRuns: 2000 },
  );
});

/**
 * A day of a machine whose clock can be set: how long it is awake, and how far its clock is set
 * afterwards, or how long it sleeps, in ticks. Between two looks the clock is not set both ways.
 */
const setDays = fc.array(
  fc.record({
    awake: fc.nat(500_000),
    gained: fc.oneof(fc.constant(0), fc.integer({ min: -5_000_000, max: 5_000_000 })),
    isLookedAt: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

/**
 * Plays it, and asks at each look how old everything is that began before.
 * @param told the machine tells its time awake; else the looks of one process measure it
 */
const playedSet = (
  day: readonly { readonly awake: number; readonly gained: number; readonly isLookedAt: boolean }[],
  told: boolean,
) => {
  const bootTicks = 10_000_000_000;
  let up = 0;
  let wall = bootTicks;
  let way = 0;
  let seenUp: number | null = null;
  let stretches: readonly AwakeStretch[] = [];
  const began: { readonly up: number; readonly wall: number }[] = [];
  const excess: number[] = [];
  for (const { awake, gained, isLookedAt } of [...day, { awake: 0, gained: 0, isLookedAt: true }]) {
    for (const share of [0, 0.5, 1]) began.push({ up: up + awake * share, wall: wall + awake * share });
    up += awake;
    wall += awake;
    if (isLookedAt) {
      stretches = observeAwake(stretches, {
        nowTicks: wall,
        ticksPerSecond,
        clockIsSet: true,
        ...(told ? { suspendedTicks: wall - bootTicks - up } : {}),
        ...(seenUp === null ? {} : { seenSeconds: (up - seenUp) / ticksPerSecond }),
      });
      seenUp = up;
      way = 0;
      for (const one of began) excess.push(awakeTicks(stretches, one.wall, wall, 2 * ticksPerSecond) - (up - one.up));
    }
    // Nothing tells of a clock that is set both ways while nothing looks.
    if (way * gained >= 0) {
      wall += gained;
      way = Math.sign(gained) || way;
    }
  }
  return Math.max(...excess);
};

test.each([true, false])('a clock that is set never makes anything older (time awake is told: %s)', (told) => {
  fc.assert(
    fc.property(setDays, (day) => {
      // What is set before the first look is known only where time awake is told.
      const seen = told ? day : [{ awake: 0, gained: 0, isLookedAt: true }, ...day];
      expect(playedSet(seen, told)).toBeLessThanOrEqual(2 * ticksPerSecond * seen.length);
    }),
    { numRuns: 2000 },
  );
});

test('a clock that is never set makes nothing younger where it can be set', () => {
  fc.assert(
    fc.property(setDays, (day) => {
      let [up, stretches]: [number, readonly AwakeStretch[]] = [0, []];
      for (const { awake } of day) {
        up += awake;
        stretches = observeAwake(stretches, { nowTicks: up, ticksPerSecond, clockIsSet: true, suspendedTicks: 0 });
        expect(awakeTicks(stretches, 0, up)).toBe(up);
      }
    }),
    { numRuns: 500 },
  );
});
