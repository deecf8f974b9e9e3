import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endsByItself } from '../../app/reach/ending.ts';
import { idleOf, isResting } from '../../app/reach/idle.ts';
import { asBootId } from '../../app/process/identity.ts';

const nowTicks = 100_000_000;
const table = { bootId: asBootId('b'), takenAtMs: 1_700_000_000_000, nowTicks, ticksPerSecond: 100 };
const day = 86_400;

/** A moment in the last days, or one that lies ahead of a clock that was set. */
const atMs = fc.integer({ min: -3600, max: 9 * day }).map((seconds) => table.takenAtMs - seconds * 1000);
const ticks = fc.integer({ min: 0, max: 9 * day }).map((seconds) => nowTicks - seconds * 100);
const totals = fc.record({ atTicks: ticks, cpuMs: fc.nat(), ioBytes: fc.option(fc.nat()) });

const input = fc.record({
  table: fc.constant(table),
  session: fc.option(
    fc.record(
      {
        status: fc.constantFrom(
          'idle' as const,
          'busy' as const,
          'answer' as const,
          'command' as const,
          'other' as const,
        ),
        statusAtMs: atMs,
        remote: fc.constant(true as const),
      },
      { requiredKeys: [] },
    ),
  ),
  transcriptMs: fc.option(atMs),
  startedMs: atMs,
  terminalMs: fc.option(atMs),
  memory: fc.option(
    fc.record({
      kind: fc.constant('reach' as const),
      pid: fc.constant(50),
      startTicks: fc.constant(1),
      ends: fc.constant('other' as const),
      sinceTicks: ticks,
      workTicks: fc.option(ticks),
      busyTicks: fc.option(ticks),
      measured: totals,
      still: totals,
    }),
  ),
  stopped: fc.boolean(),
  commands: fc.constantFrom('none' as const, 'silent' as const, 'working' as const),
  wakes: fc.constantFrom(true, false, null).map((answer) => () => answer),
  turn: fc.constantFrom('ended', 'open', null).map((answer) => () => answer),
  team: fc.constantFrom('ended', 'open', null).map((answer) => () => answer),
  isConnected: fc.boolean().map((answer) => () => answer),
});

test('no sign is later than since when an agent is idle, and what waits or works is never idle', () => {
  fc.assert(
    fc.property(input, (one) => {
      const idle = idleOf(one);
      if (!isResting(idle)) return;
      for (const sign of [one.session?.statusAtMs, one.transcriptMs, one.terminalMs])
        expect(sign ?? 0).toBeLessThanOrEqual(idle.sinceMs);
      expect(one.session?.status).not.toBe('answer');
      expect(one.session?.status).not.toBe('command');
      expect(one.session?.remote).not.toBe(true);
      expect(one.commands).not.toBe('working');
    }),
  );
});

test('only what says that it is idle, and was watched for all of the days, ends by itself', () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 0, max: 8 }), (one, idleAgentDays) => {
      const idle = idleOf(one);
      if (!isResting(idle)) return;
      if (!endsByItself({ state: 'idle', idle, resume: null }, { unreachableAgents: 'end', idleAgentDays })) return;
      expect(idleAgentDays).toBeGreaterThan(0);
      expect(one.session?.status).toBe('idle');
      expect({ stopped: one.stopped, commands: one.commands, wakes: one.wakes() }).toEqual({
        stopped: false,
        commands: 'none',
        wakes: false,
      });
      for (const at of [one.memory?.sinceTicks, one.memory?.workTicks, one.memory?.busyTicks])
        expect((nowTicks - (at ?? 0)) / 100).toBeGreaterThanOrEqual(idleAgentDays * day);
    }),
    { numRuns: 3000 },
  );
});
