import { describe, expect, test } from 'vitest';
import { isScarce, withScarcity } from '../../../app/judge/scarce-memory.ts';
import { largestFirst } from '../../../app/judge/worst-first.ts';
import type { Verdict } from '../../../app/judge/verdict.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { memoryStateIn } from '../../../main/os/memory-state.ts';

const state = (pressurePercent: number, swapPercent = 0) => ({ pressurePercent, swapPercent });
const verdict = (more: Partial<Verdict> = {}): { readonly verdict: Verdict } => ({
  verdict: { state: 'orphaned', action: 'reap', atMs: null, reasons: [], ...more },
});

test('memory is scarce where processes wait for it, or wait a little and the swap is full', () => {
  expect([state(9.9), state(0, 100), state(0.9, 100), state(5, 80)].map(isScarce)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([state(10), state(80), state(1, 90)].map(isScarce)).toEqual([true, true, true]);
});

test('the largest goes first', () => {
  const jobs = [10, 300, 20].map((rssBytes) => ({ job: { holds: { rssBytes } } }));
  expect(largestFirst(jobs).map(({ job }) => job.holds.rssBytes)).toEqual([300, 20, 10]);
});

describe('the reason', () => {
  test('is given for what ends by itself, and changes neither its state nor its action', () => {
    for (const before of [verdict(), verdict({ action: 'notify', announces: true })]) {
      const { verdict: after } = withScarcity(before, state(42, 95));
      expect({ ...after, reasons: [] }).toEqual({ ...before.verdict, reasons: [] });
      expect(after.reasons.map(sayReason)).toEqual([
        'memory is scarce, so the largest that is due goes first (processes waited for memory during 42 % of the last 10 s, and 95 % of the swap is used)',
      ]);
    }
  });

  test('is not given for anything else, or where memory is not scarce', () => {
    for (const action of ['none', 'notify'] as const) {
      const before = verdict({ action });
      expect(withScarcity(before, state(42))).toBe(before);
    }
    const due = verdict();
    expect(withScarcity(due, null)).toBe(due);
  });
});

test('the kernel’s texts', () => {
  const pressure = 'some avg10=12.34 avg60=1.00 avg300=0.00 total=5\nfull avg10=3.00 avg60=0.00 avg300=0.00 total=1\n';
  const meminfo = 'MemTotal:       100 kB\nSwapTotal:      400 kB\nSwapFree:       100 kB\n';
  expect(memoryStateIn(pressure, meminfo)).toEqual({ pressurePercent: 12.34, swapPercent: 75 });
  expect(memoryStateIn(pressure, 'SwapTotal:      0 kB\nSwapFree:       0 kB\n')).toEqual({
    pressurePercent: 12.34,
    swapPercent: 0,
  });
  expect(memoryStateIn('', meminfo)).toBeNull();
});
