import { beforeEach, expect, test } from 'vitest';
import { type Pid, asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { KnownProcesses, type LookAt, rotation } from '../../../../main/os/linux/proc/known-processes.ts';
import type { CachedProcess, Reading } from '../../../../main/os/linux/proc/row-reader.ts';
import { drain } from '../../../../app/process/steps.ts';

/** The machine of these tests: the result of reading each pid. Every read is counted. */
const machine = new Map<number, ProcessRow | 'denied'>();
let reads: number[] = [];

const row = (pid: number, more: Partial<Omit<ProcessRow, 'pid'>> = {}): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(1),
  pgid: asGroupId(pid),
  sid: asKernelSessionId(pid),
  tty: 0,
  state: 'S',
  startTicks: 100 + pid,
  cpuMs: 0,
  rssBytes: 0,
  uid: 0,
  comm: 'x',
  argv: ['x'],
  kernelThread: false,
  ...more,
});

const rows = {
  read: (pid: Pid, before: CachedProcess | undefined, scan: number): Reading => {
    reads.push(pid);
    const found = machine.get(pid);
    if (found === undefined) return 'gone';
    if (found === 'denied') return found;
    if (before?.row === found) {
      before.listedAt = scan;
      before.readAt = scan;
      return before;
    }
    const image = { stackStart: 0, argStart: 0, envStart: 0, envEnd: 0 };
    return {
      row: found,
      image,
      commandLine: '',
      limit: { bytes: 4096, maxArguments: 256 },
      environment: undefined,
      listedAt: scan,
      readAt: scan,
    };
  },
};

let known: KnownProcesses;
let listed: number[];

const none = { kind: 'after', from: 0, to: 0 } as const;

/** Scans once and returns the pids that were read. */
const look = (more: Partial<LookAt> = {}): readonly number[] => {
  reads = [];
  const all = {
    pids: listed,
    watched: new Set<Pid>(),
    hasRun: () => true,
    reused: none,
    nowTicks: 1_000_000,
    ticksPerSecond: 100,
  };
  drain(known.updating({ ...all, ...more }));
  return reads.toSorted((a, b) => a - b);
};

/** Turns the rotation so that none of these pids is due at the next scan. */
const settle = (): void => {
  for (let i = 0; i < 2; i++) look();
};

beforeEach(() => {
  machine.clear();
  known = new KnownProcesses(rows);
  listed = [1, 10, 11, 12, 20];
  for (const pid of listed) machine.set(pid, row(pid));
  look({ reused: { kind: 'all' } });
  settle();
});

test('the first scan reads all processes in the order of the listing', () => {
  expect([...known.rows.keys()]).toEqual([1, 10, 11, 12, 20]);
});

test('a steady scan reads no process and returns the same table', () => {
  const before = known.rows;
  expect(look()).toEqual([]);
  expect(known.rows).toBe(before);
});

test('watched processes that have run are read at every scan', () => {
  expect(look({ watched: new Set([asPid(11)]) })).toEqual([11]);
});

test('a watched process that has not run is read in rotation only', () => {
  const watched = new Set([asPid(10), asPid(11)]);
  expect(look({ watched, hasRun: (pid) => pid === 11 })).toEqual([11]);
  const read = new Set<number>();
  for (let i = 0; i < rotation; i++) for (const pid of look({ watched, hasRun: () => false })) read.add(pid);
  expect(read).toContain(10);
});

test('young processes are read at every scan', () => {
  expect(look({ nowTicks: machine.size + 1_000 })).toEqual([1, 10, 11, 12, 20]);
});

test('within one rotation every process is read once', () => {
  const counts = new Map<number, number>();
  for (let i = 0; i < rotation; i++) for (const pid of look()) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({ 1: 1, 10: 1, 11: 1, 12: 1, 20: 1 });
});

test('an unchanged row is the same object, a changed one another, the table another', () => {
  const before = known.rows;
  machine.set(11, row(11, { cpuMs: 5 }));
  look({ watched: new Set([asPid(10), asPid(11)]) });
  expect(known.rows).not.toBe(before);
  expect(known.rows.get(asPid(10))).toBe(before.get(asPid(10)));
  expect(known.rows.get(asPid(11))).not.toBe(before.get(asPid(11)));
  expect(before.get(asPid(11))?.cpuMs).toBe(0);
});

test('a pid that may have been reused is read, and a reuse is noticed', () => {
  machine.set(12, row(12, { startTicks: 9_000 }));
  expect(look({ reused: { kind: 'after', from: 11, to: 15 } })).toContain(12);
  expect(known.rows.get(asPid(12))?.startTicks).toBe(9_000);
});

test('a new pid out of sequence was forced, so every process is read', () => {
  listed = [1, 10, 11, 12, 15, 20];
  machine.set(15, row(15));
  expect(look({ reused: { kind: 'after', from: 20, to: 25 } })).toEqual([1, 10, 11, 12, 15, 20]);
});

test('a new pid in sequence causes a read of its parent only, which may have exec’ed', () => {
  listed = [1, 10, 11, 12, 20, 21];
  machine.set(21, row(21, { ppid: asPid(10) }));
  expect(look({ reused: { kind: 'after', from: 20, to: 21 } })).toEqual([10, 21]);
});

test('children of an ended parent are read, because they have another', () => {
  machine.set(20, row(20, { ppid: asPid(10) }));
  look({ watched: new Set([asPid(20)]) });
  machine.delete(10);
  machine.set(20, row(20, { ppid: asPid(1) }));
  listed = [1, 11, 12, 20];
  expect(look()).toEqual([20]);
  expect(known.rows.get(asPid(20))?.ppid).toBe(1);
  expect(known.rows.has(asPid(10))).toBe(false);
});

test.each([
  ['has ended and is a zombie', row(10, { state: 'Z' })],
  ['is another process now', row(10, { startTicks: 9_000 })],
])('children of a parent that %s are read', (_case, parent) => {
  machine.set(20, row(20, { ppid: asPid(10) }));
  look({ watched: new Set([asPid(20)]) });
  machine.set(10, parent);
  machine.set(20, row(20, { ppid: asPid(1) }));
  look({ watched: new Set([asPid(10)]) });
  expect(known.rows.get(asPid(20))?.ppid).toBe(1);
});

test('a process that ends between listing and reading is not in the table', () => {
  listed = [1, 10, 11, 12, 20, 30];
  look({ reused: { kind: 'after', from: 20, to: 30 } });
  expect([...known.rows.keys()]).toEqual([1, 10, 11, 12, 20]);
  expect(known.denied).toBe(0);
  expect(known.missed).toBe(1);
});

test('a later listing shows what a process that ended before it was read has forked', () => {
  listed = [1, 10, 11, 12, 20, 30, 40];
  machine.set(40, 'denied');
  machine.delete(12);
  look({ reused: { kind: 'after', from: 20, to: 40 } });
  machine.set(31, row(31));
  machine.set(20, row(20, { ppid: asPid(31) }));
  reads = [];
  drain(known.catchingUp([1, 10, 11, 20, 31, 40]));
  expect([...known.rows.keys()]).toEqual([1, 10, 11, 20, 31]);
  expect([known.missed, known.denied]).toEqual([0, 1]);
  expect(reads.slice(0, 2)).toEqual([31, 40]);
  drain(known.catchingUp([1, 10, 11, 20, 31, 32, 40]));
  expect(known.missed).toBe(1);
});

test('a listed process that can’t be read is counted', () => {
  listed = [1, 10, 11, 12, 20, 30];
  machine.set(30, 'denied');
  look();
  expect(known.denied).toBe(1);
});

test('a failed scan changes no returned table and loses nothing', () => {
  const before = known.rows;
  machine.set(11, row(11, { cpuMs: 7 }));
  const failing = new Set([asPid(11), asPid(12)]);
  const read = rows.read;
  rows.read = (pid, cached, scan) => {
    if (pid === 12) throw new Error('no file descriptors left');
    return read(pid, cached, scan);
  };
  try {
    expect(() => look({ watched: failing })).toThrow('no file descriptors left');
  } finally {
    rows.read = read;
  }
  expect(known.rows).toBe(before);
  look();
  expect(known.rows.get(asPid(11))?.cpuMs).toBe(7);
});
