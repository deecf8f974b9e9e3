import { describe, expect, test } from 'vitest';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { env, orphan, run, runToNotice, withClock, type Run } from './run-supervisor.ts';

withClock();

/** A second, smaller and a third, larger leftover of the same session. */
const small: readonly Plant[] = [{ pid: 60, start: 98_000, sid: 60, argv: claudeShell('sleep 8'), env }];
const large: readonly Plant[] = [
  { pid: 80, start: 98_500, sid: 80, argv: claudeShell('sleep 7 | cat | cat'), env },
  ...[81, 82, 83].map((pid): Plant => ({ pid, start: 98_501, ppid: 80, argv: 'sleep 7', env })),
];

const scarce = { pressurePercent: 42, swapPercent: 95 };

/** The process groups in the order in which they were asked to end. */
const asked = (one: Run): readonly string[] => [
  ...new Set(one.stage.signals.map((signal) => signal.split(' ').at(-1) ?? '')),
];

const firstOf = async (memory: Run['memory']): Promise<string | undefined> => {
  const one = run(...small, ...orphan, ...large);
  one.memory = memory;
  for (let seconds = 0; seconds < 120 && one.stage.signals.length === 0; seconds += 1) await one.pass(1);
  return asked(one)[0];
};

describe('when memory is scarce', () => {
  test('what is due goes in the order of its size', async () => {
    expect(await firstOf(null)).toBe('60');
    expect(await firstOf(scarce)).toBe('80');
  });

  test('the record says so', async () => {
    const one = await runToNotice(...orphan);
    one.memory = scarce;
    await one.pass(10);
    const codes = one.ended.map(({ reasons }) => reasons.map(({ code }) => code));
    expect(codes).toHaveLength(1);
    expect(codes[0]).toContain('memory-scarce');
  });

  test('the next look comes at once, and what is not due stays', async () => {
    const young: Plant = {
      pid: 90,
      start: 99_999,
      sid: 90,
      argv: claudeShell('sleep 6'),
      env: claudeEnvironment({ pid: 34 }),
    };
    const one = run(young);
    one.stage.settings = { ...one.stage.settings, scanIntervalSeconds: 60 };
    await one.pass(3);
    const before = one.looks;
    one.memory = scarce;
    await one.pass(3);
    expect(one.looks).toBe(before + 1);
    await one.pass(30);
    expect(one.stage.signals).toEqual([]);
    expect(one.looks).toBe(before + 1);
  });
});
