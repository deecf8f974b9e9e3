import { expect, test } from 'vitest';
import type { Look } from '../../../main/observing/look.ts';
import { Attention } from '../../../main/supervisor/supervisor.ts';
import { pauseAfter } from '../../../main/supervisor/pace.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });

/** A look at a job of a dead agent. */
const look = (costMs: number, more: Partial<Look> = {}): Look => ({
  ...new Stage({ pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9'), env }).observer.look(),
  tookMs: costMs,
  cpuMs: costMs,
  ...more,
});

/** The same, with something that happens to the job by itself so much later. */
const dueIn = (ms: number | null, costMs = 1): Look => {
  const plain = look(costMs);
  const atMs = ms === null ? null : plain.table.takenAtMs + ms;
  const jobs = new Map(
    [...plain.jobs].map(([id, one]) => [id, { ...one, verdict: { ...one.verdict, atMs } }] as const),
  );
  return { ...plain, jobs };
};

test('a limit that passes before the next look is looked at when it does', () => {
  expect(pauseAfter(dueIn(3000), 5)).toBe(3000);
  expect(pauseAfter(dueIn(60_000), 5)).toBe(5000);
  expect(pauseAfter(dueIn(null), 5)).toBe(5000);
});

test('limits that pass one after the other don’t make it look all the time, and what is past none', () => {
  expect(pauseAfter(dueIn(1), 5)).toBe(1000);
  expect(pauseAfter(dueIn(0), 5)).toBe(5000);
  expect(pauseAfter(dueIn(-1), 5)).toBe(5000);
});

test('looking takes at most a tenth of a core: what others take of it doesn’t count', () => {
  expect(pauseAfter(dueIn(null, 800), 5)).toBe(8000);
  expect(pauseAfter(look(800, { cpuMs: 100 }), 5)).toBeLessThanOrEqual(5000);
});

test('while a user looks, checks are close together, at a bounded cost all the same', () => {
  expect(pauseAfter(dueIn(null), 300, true)).toBe(1500);
  expect(pauseAfter(dueIn(null), 0.5, true)).toBe(500);
  expect(pauseAfter(dueIn(null, 800), 300, true)).toBe(8000);
});

test('a user looks as long as a window says so again', () => {
  let nowMs = 0;
  const attention = new Attention(() => nowMs);
  expect(attention.given).toBe(false);
  expect([attention.renew(), attention.renew()]).toEqual([true, false]);
  nowMs = 9000;
  expect(attention.given).toBe(true);
  nowMs = 20_000;
  expect(attention.given).toBe(false);
});
