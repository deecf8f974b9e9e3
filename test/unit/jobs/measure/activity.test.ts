import { describe, expect, test } from 'vitest';
import {
  cpuPercentOf,
  type Exchange,
  observeActivity,
  silentSecondsOf,
} from '../../../../app/jobs/measure/activity.ts';
import type { Activity } from '../../../../app/jobs/ledger/ledger.ts';
import type { MemberFacts } from '../../../../app/process/facts.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { factsOf, rowOf } from '../../judge/job-builder.ts';
import { machineOf } from '../machine.ts';

const begin = machineOf([]).table();
/** A look so many seconds after the first. */
const after = (seconds: number): ProcessTable => ({ ...begin, nowTicks: begin.nowTicks + seconds * 100 });

/** What is measured of two processes of a job. */
interface Measured {
  readonly cpuMs?: readonly [number, number];
  readonly ioBytes?: readonly [number | null, number | null];
  readonly outputBytes?: number | null;
  readonly pids?: readonly [number, number];
  readonly secondReadable?: boolean;
  readonly exchange?: Exchange;
}

const observe = (seconds: number, previous: Activity | null, measured: Measured = {}): Activity => {
  const pids = measured.pids ?? [39, 40];
  const cpuMs = measured.cpuMs ?? [70, 30];
  const ioBytes = measured.ioBytes ?? [1000, 24];
  const rows = pids.map((pid, at) => rowOf(pid, ['work'], { cpuMs: cpuMs[at] ?? 0 }));
  const facts = rows.flatMap((row, at) =>
    at === 1 && measured.secondReadable === false
      ? []
      : [[Number(row.pid), factsOf({ ioBytes: ioBytes[at] ?? null })] as const],
  );
  return observeActivity(
    after(seconds),
    rows.map((row) => ({ row, by: ['group'] })),
    new Map<number, MemberFacts>(facts),
    measured.outputBytes === undefined ? 500 : measured.outputBytes,
    previous,
    measured.exchange,
  );
};

test('processor time and bytes are those of all members together', () => {
  expect(observe(0, null)).toMatchObject({ cpuMs: 100, ioBytes: 1024, outputBytes: 500, quietLooks: 0 });
});

test.each<[string, Measured]>([
  ['of the first member', { ioBytes: [null, 24] }],
  ['of the last member', { ioBytes: [1000, null] }],
  ['of a member that could not be read at all', { secondReadable: false }],
])('bytes %s that are not known: those of the job are not known either', (_whose, measured) => {
  expect(observe(0, null, measured).ioBytes).toBeNull();
});

describe('silence', () => {
  const over = (figure: string): Measured => ({ exchange: { kind: 'measured', figure } });
  /** Whether it is silent after looks at which these were measured of its sockets. */
  const isSilent = (...measured: readonly Measured[]): boolean => {
    const last = measured.reduce<Activity | null>((before, one, at) => observe(at * 5, before, one), null);
    return last !== null && silentSecondsOf(after(60), last) > 0;
  };

  test('is none while something goes over a socket, though no figure of input and output moves', () => {
    expect(isSilent(over('5/1'), over('6/1'), over('7/1'))).toBe(false);
    expect(isSilent(over('5/1'), over('5/2'), over('5/3'))).toBe(false);
    expect(isSilent(over('5/1'), over('5/1'), over('5/1'))).toBe(true);
  });

  test('is none where sockets can not be measured, nor when they were measured for the first time', () => {
    const unknown: Measured = { exchange: { kind: 'unknown' } };
    expect(isSilent(unknown, unknown, unknown)).toBe(false);
    expect(isSilent({}, {}, over('5/1'))).toBe(false);
    expect(isSilent({}, over('5/1'), over('5/1'), over('5/1'))).toBe(true);
  });

  test('needs no bytes where the figure tells of everything that its processes do', () => {
    const all = (figure: string, more: Measured = {}): Measured => ({
      ioBytes: [null, null],
      exchange: { kind: 'measured', figure, everything: true },
      ...more,
    });
    expect(isSilent(all('7'), all('7'), all('7'))).toBe(true);
    expect(isSilent(all('7'), all('8'), all('9'))).toBe(false);
    expect(isSilent(all('7'), all('7'), all('7', { cpuMs: [71, 30] }))).toBe(false);
    const bytesUnknown: Measured = { ioBytes: [null, null], ...over('7') };
    expect(isSilent(bytesUnknown, bytesUnknown, bytesUnknown)).toBe(false);
  });

  test('is judged as before where there is no socket, or the job is too young to be asked', () => {
    const nothing: Measured = { exchange: { kind: 'nothing' } };
    expect(isSilent(nothing, nothing, nothing)).toBe(true);
    expect(isSilent({}, {}, {})).toBe(true);
  });

  test('begins with the look at which the last change was seen, and is told of from the second look on', () => {
    const first = observe(0, null);
    const second = observe(5, first);
    expect(silentSecondsOf(after(5), second)).toBe(0);
    const third = observe(10, second);
    expect(silentSecondsOf(after(10), third)).toBe(10);
    expect(silentSecondsOf(after(70), observe(70, third))).toBe(70);
  });

  test.each<[string, Measured]>([
    ['used the processor', { cpuMs: [70, 31] }],
    ['read or wrote', { ioBytes: [1000, 25] }],
    ['wrote into its output', { outputBytes: 501 }],
    ['lost its output', { outputBytes: null }],
    ['has another process instead of one', { pids: [39, 41] }],
  ])('ends when the job %s', (_what, measured) => {
    const silent = observe(10, observe(5, observe(0, null)));
    expect(observe(15, silent, measured)).toMatchObject({ quietLooks: 0, changedAtTicks: after(15).nowTicks });
    expect(silentSecondsOf(after(15), observe(15, silent, measured))).toBe(0);
  });

  test('is never claimed of a job whose bytes can’t be read', () => {
    const hidden: Measured = { ioBytes: [null, null] };
    const third = observe(10, observe(5, observe(0, null, hidden), hidden), hidden);
    expect(third.quietLooks).toBe(0);
  });

  test('is the same whichever member is told of first', () => {
    const second = observe(5, observe(0, null), { pids: [40, 39], cpuMs: [30, 70] });
    expect(second.quietLooks).toBe(1);
  });
});

describe('the share of a core', () => {
  test('is that since the look before, to a tenth of a percent', () => {
    const before = observe(0, null);
    expect(cpuPercentOf(after(5), observe(5, before, { cpuMs: [2570, 30] }), before)).toBe(50);
    expect(cpuPercentOf(after(5), observe(5, before, { cpuMs: [73, 34] }), before)).toBe(0.1);
  });

  test.each<[string, number, Measured, boolean]>([
    ['of the first look', 5, { cpuMs: [2570, 30] }, false],
    ['of one that did nothing', 5, {}, true],
    ['of one whose busiest member has ended', 5, { cpuMs: [7, 3] }, true],
    ['of two looks at the same moment', 0, { cpuMs: [2570, 30] }, true],
    ['of a clock that went backwards', -5, { cpuMs: [2570, 30] }, true],
  ])('%s is nothing', (_which, seconds, measured, compared) => {
    const before = observe(0, null);
    const percent = cpuPercentOf(after(seconds), observe(seconds, before, measured), compared ? before : null);
    expect(percent).toBe(0);
  });
});
