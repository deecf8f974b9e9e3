import { describe, expect, test } from 'vitest';
import { cpuPercentIn, measureProcesses, type ProcessUse } from '../../../../app/jobs/measure/process-use.ts';
import { asPid, type BootId } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';

const boot = 'boot' as BootId;
const table = (seconds: number, bootId = boot) => ({ bootId, nowTicks: seconds * 100, ticksPerSecond: 100 });
const row = (pid: number, cpuMs: number, more: Partial<ProcessRow> = {}): ProcessRow =>
  ({ pid: asPid(pid), ppid: asPid(1), startTicks: 7, cpuMs, ...more }) as ProcessRow;

const after = (before: readonly ProcessRow[], now: readonly ProcessRow[], seconds = 10): ProcessUse =>
  measureProcesses(measureProcesses(null, table(100), before), table(100 + seconds), now);

describe('the CPU of single processes', () => {
  test('is a share of one core since the look before, in whole percent', () => {
    expect(cpuPercentIn(after([row(5, 1000)], [row(5, 6040)]), row(5, 0))).toBe(50);
    expect(cpuPercentIn(after([row(5, 1000)], [row(5, 1000)]), row(5, 0))).toBe(0);
    expect(cpuPercentIn(after([row(5, 0)], [row(5, 25_000)]), row(5, 0))).toBe(250);
  });

  test('is unknown at first sight, after a reboot, and of a process that took over the number', () => {
    expect(cpuPercentIn(measureProcesses(null, table(100), [row(5, 900)]), row(5, 0))).toBeNull();
    expect(
      cpuPercentIn(after([row(5, 900)], [row(5, 950, { startTicks: 8 })]), row(5, 0, { startTicks: 8 })),
    ).toBeNull();
    const rebooted = measureProcesses(after([row(5, 1)], [row(5, 2)]), table(200, 'other' as BootId), [row(5, 9)]);
    expect(cpuPercentIn(rebooted, row(5, 0))).toBeNull();
    expect(cpuPercentIn(null, row(5, 0))).toBeNull();
  });

  test('of a child that has ended is not counted again as its parent’s', () => {
    const parent = row(5, 100);
    const child = row(6, 8000, { ppid: asPid(5) });
    // The kernel adds the time of a child to the parent that waited for it.
    expect(cpuPercentIn(after([parent, child], [row(5, 9100)]), parent)).toBe(10);
    // Not waited for: its time went elsewhere.
    expect(cpuPercentIn(after([parent, child], [row(5, 1100)]), parent)).toBe(10);
  });

  test('looks in quick succession leave the share as it was, and count on from the same moment', () => {
    const first = after([row(5, 0)], [row(5, 5000)]);
    const soon = measureProcesses(first, table(110.1), [row(5, 5100)]);
    expect(cpuPercentIn(soon, row(5, 0))).toBe(50);
    expect(cpuPercentIn(measureProcesses(soon, table(120), [row(5, 15_000)]), row(5, 0))).toBe(100);
  });
});
