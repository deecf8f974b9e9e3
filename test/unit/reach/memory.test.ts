import { describe, expect, test } from 'vitest';
import type { ReachWitness, Totals } from '../../../app/jobs/lineage/witness.ts';
import { cannotHaveStarted, observeReach } from '../../../app/reach/memory.ts';
import { ticksPerSecond } from './table.ts';

const startSeconds = 1000;

/** Looks at one agent at these seconds, with these totals; gives what is remembered at the end. */
const watched = (
  looks: readonly {
    readonly at: number;
    readonly cpuMs?: number;
    readonly ioBytes?: number | null;
    readonly ends?: ReachWitness['ends'];
  }[],
  forgetsAt?: number,
): ReachWitness => {
  let known: ReachWitness | null = null;
  let latest: Totals | null = null;
  for (const { at, cpuMs = 0, ioBytes = 0, ends = 'hung-up' } of looks) {
    const nowTicks = (startSeconds + at) * ticksPerSecond;
    const totals = { atTicks: nowTicks, cpuMs, ioBytes };
    // A restart of Curfew: only what was written down is left.
    if (at === forgetsAt) latest = null;
    const seen = observeReach(known, latest, { pid: 50, startTicks: 1, ends, totals }, { nowTicks, ticksPerSecond });
    known = seen.witness;
    latest = seen.latest;
  }
  if (known === null) throw new Error('no look was made');
  return known;
};

const ticksOf = (at: number): number => (startSeconds + at) * ticksPerSecond;

describe('what is remembered of an agent out of reach', () => {
  test('its state counts from the first look, and anew when it changes', () => {
    expect(watched([{ at: 0 }, { at: 5 }, { at: 10 }]).sinceTicks).toBe(ticksOf(0));
    expect(watched([{ at: 0 }, { at: 5, ends: 'client-gone' }, { at: 10, ends: 'client-gone' }]).sinceTicks).toBe(
      ticksOf(5),
    );
  });

  test('an idle one is not written down again', () => {
    const first = watched([{ at: 0 }]);
    expect(watched([{ at: 0 }, { at: 5, cpuMs: 50 }, { at: 10, cpuMs: 100, ioBytes: 80 }])).toEqual(first);
  });

  test('bytes and processor time are work, from the look at which they show', () => {
    const worked = watched([{ at: 0 }, { at: 5, ioBytes: 5000 }]);
    expect(worked.workTicks).toBeGreaterThanOrEqual(ticksOf(5));
    expect(worked.busyTicks).toBeNull();
    const busy = watched([{ at: 0 }, { at: 5, cpuMs: 400 }]);
    expect(busy.busyTicks).toBeGreaterThanOrEqual(ticksOf(5));
    expect(busy.workTicks).toBeNull();
  });

  test('what could not be read counts as work', () => {
    expect(
      watched([
        { at: 0, ioBytes: null },
        { at: 5, ioBytes: null },
      ]).workTicks,
    ).not.toBeNull();
  });

  test('work of which only a restarted Curfew sees the total is work', () => {
    const looks = [{ at: 0 }, { at: 5 }, { at: 4000, ioBytes: 100_000, cpuMs: 60_000 }];
    const after = watched(looks, 4000);
    expect(after.workTicks).toBeGreaterThanOrEqual(ticksOf(4000));
    expect(after.busyTicks).toBeGreaterThanOrEqual(ticksOf(4000));
  });

  test('a restart changes nothing for one that stayed idle', () => {
    expect(watched([{ at: 0 }, { at: 5 }, { at: 4000, cpuMs: 3000, ioBytes: 200 }], 4000)).toMatchObject({
      sinceTicks: ticksOf(0),
      workTicks: null,
      busyTicks: null,
    });
  });

  test('looks that follow each other closely hide no work', () => {
    const looks = Array.from({ length: 40 }, (_, index) => ({ at: index / 10, cpuMs: index * 60 }));
    expect(watched(looks).busyTicks).not.toBeNull();
  });
});

describe('which jobs an agent out of reach cannot have started', () => {
  test('those that began after it was seen so, and still ever since', () => {
    const still = watched([{ at: 0 }, { at: 5 }, { at: 60 }]);
    expect(cannotHaveStarted(still, ticksOf(30))).toBe(true);
    expect(cannotHaveStarted(still, ticksOf(-1))).toBe(false);
    expect(cannotHaveStarted(still, ticksOf(0))).toBe(false);
  });

  test('not those that began before it last moved as many bytes as a tool call', () => {
    const moved = watched([{ at: 0 }, { at: 5 }, { at: 60, ioBytes: 600 }]);
    expect(cannotHaveStarted(moved, ticksOf(30))).toBe(false);
    expect(cannotHaveStarted(moved, ticksOf(60))).toBe(false);
  });

  test('none of one that is no longer out of reach', () => {
    expect(
      cannotHaveStarted(
        watched([
          { at: 0, ends: 'other' },
          { at: 60, ends: 'other' },
        ]),
        ticksOf(30),
      ),
    ).toBe(false);
  });
});
