import { describe, expect, test } from 'vitest';
import { awakeTicks, maxUnseenSeconds, observeAwake, type AwakeStretch } from '../../../app/process/awake.ts';

const ticksPerSecond = 100;

interface Seen {
  readonly atSeconds: number;
  readonly suspendedSeconds?: number | null;
}

/** The stretches after looks at these seconds since the boot. */
const after = (...looks: readonly Seen[]): readonly AwakeStretch[] =>
  looks.reduce<readonly AwakeStretch[]>(
    (stretches, { atSeconds, suspendedSeconds }) =>
      observeAwake(stretches, {
        nowTicks: atSeconds * ticksPerSecond,
        ticksPerSecond,
        ...(suspendedSeconds === undefined
          ? {}
          : { suspendedTicks: suspendedSeconds === null ? null : suspendedSeconds * ticksPerSecond }),
      }),
    [],
  );

/** Seconds awake from a moment to another. */
const awake = (stretches: readonly AwakeStretch[], since: number, now: number): number =>
  awakeTicks(stretches, since * ticksPerSecond, now * ticksPerSecond) / ticksPerSecond;

describe('a machine that slept', () => {
  const night = after(
    { atSeconds: 1000, suspendedSeconds: 0 },
    { atSeconds: 1500, suspendedSeconds: 0 },
    { atSeconds: 30_300, suspendedSeconds: 28_700 },
  );

  test('what began while Curfew looked has lived only the time awake', () => {
    expect(awake(night, 1200, 30_300)).toBe(400);
    expect(awake(night, 1500, 30_300)).toBe(100);
  });

  test('what began between two looks is given all of the sleep that could be its own', () => {
    // It can have begun before the machine slept, or after: 100 s were awake in between.
    expect(awake(night, 1550, 30_300)).toBe(50);
    expect(awake(night, 30_250, 30_300)).toBe(0);
  });

  test('what began after it woke up lives as long as it looks', () => {
    expect(
      awake(after({ atSeconds: 1000, suspendedSeconds: 500 }, { atSeconds: 2000, suspendedSeconds: 500 }), 1100, 2000),
    ).toBe(900);
  });

  test('what began before Curfew looked is given all of the sleep of this boot', () => {
    const late = after({ atSeconds: 100_000, suspendedSeconds: 40_000 });
    expect(awake(late, 10_000, 100_000)).toBe(50_000);
    expect(awake(late, 70_000, 100_000)).toBe(0);
  });
});

describe('a machine that does not tell how long it slept', () => {
  test('only what was observed counts', () => {
    const remote = after(
      { atSeconds: 100_000, suspendedSeconds: null },
      { atSeconds: 100_100, suspendedSeconds: null },
      { atSeconds: 100_200, suspendedSeconds: null },
    );
    expect(awake(remote, 5000, 100_200)).toBe(200);
    expect(awake(remote, 100_050, 100_200)).toBe(150);
  });

  test('time between looks that are far apart does not count', () => {
    const gap = maxUnseenSeconds + 1;
    const remote = after(
      { atSeconds: 1000, suspendedSeconds: null },
      { atSeconds: 1000 + gap, suspendedSeconds: null },
    );
    expect(awake(remote, 1000, 1000 + gap)).toBe(0);
  });
});

describe('what is remembered', () => {
  test('a machine that never slept needs one stretch', () => {
    expect(after({ atSeconds: 10 }, { atSeconds: 20 }, { atSeconds: 30 })).toEqual([
      { fromTicks: 1000, toTicks: 3000, suspendedTicks: 0 },
    ]);
  });

  test('the grain of the clocks is no sleep', () => {
    expect(after({ atSeconds: 10, suspendedSeconds: 0 }, { atSeconds: 20, suspendedSeconds: 0.02 })).toHaveLength(1);
  });

  test('clocks that go back are other clocks: what was remembered is forgotten', () => {
    const restored = after({ atSeconds: 5000, suspendedSeconds: 3000 }, { atSeconds: 6000, suspendedSeconds: 100 });
    expect(restored).toEqual([{ fromTicks: 600_000, toTicks: 600_000, suspendedTicks: 10_000 }]);
  });

  test('not without end', () => {
    const nights = Array.from({ length: 1000 }, (_, night) => ({
      atSeconds: night * 1000,
      suspendedSeconds: night * 500,
    }));
    expect(after(...nights).length).toBeLessThanOrEqual(256);
  });
});
