import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../app/diagnose/diagnose.ts';
import type { Holder, ProcessProbe } from '../../../app/diagnose/probe.ts';
import { codesOf, lastOf, subjectAt, type Planted, type Seen } from './subject-builder.ts';

const reading = (fd: number, target: string, more: Partial<ProcessProbe> = {}): Partial<ProcessProbe> => ({
  wait: { kind: 'read', fd },
  pipes: [{ fd, target, access: 'read' }],
  ...more,
});

const held = (target: string, holders: readonly Holder[], complete = true): Seen => ({
  probe: { holders: new Map([[target, { holders, complete }]]) },
});
const writes = (pid: number): Holder => ({ pid, access: 'write', locks: false });

/** The same at two looks, two minutes apart. */
const twice = (processes: readonly Planted[], seen: Seen = {}): ReturnType<typeof subjectAt>[] => [
  subjectAt(10_000, processes, seen),
  subjectAt(10_120, processes, seen),
];

describe('standard input, told at the first look', () => {
  test('a reader of a pipe that no member writes to', () => {
    const reader = { pid: 10, blockedReading: 0, files: { 0: 'pipe:[7]', 1: '/dev/null' } };
    expect(lastOf([subjectAt(1, [reader], { probe: null })])).toEqual([
      { code: 'waiting-on-stdin', figures: { pid: 10, file: 'pipe:[7]', kind: 'a pipe' } },
    ]);
    expect(codesOf(subjectAt(1, [{ ...reader, files: { 0: '/tmp/never' } }]))).toEqual(['waiting-on-stdin']);
  });

  test('a server, which waits for the next request of its agent, is no such reader', () => {
    const server = { pid: 10, blockedReading: 0, files: { 0: 'socket:[7]' } };
    expect(codesOf(subjectAt(1, [server]))).toEqual(['waiting-on-stdin']);
    expect(codesOf({ ...subjectAt(1, [server]), serves: true })).toEqual([]);
  });

  test('a reader that another member feeds waits for that one', () => {
    const feeder = { pid: 10, files: { 0: '/dev/null', 1: 'pipe:[7]' } };
    expect(codesOf(subjectAt(1, [feeder, { pid: 11, blockedReading: 0, files: { 0: 'pipe:[7]' } }]))).toEqual([]);
  });

  test('a reader of another descriptor, and one that is not blocked, are at work', () => {
    expect(codesOf(subjectAt(1, [{ pid: 10, blockedReading: 3, files: { 0: 'pipe:[7]' } }]))).toEqual([]);
    expect(codesOf(subjectAt(1, [{ pid: 10, files: { 0: 'pipe:[7]' } }]))).toEqual([]);
  });

  test('at a terminal outside the job the user may type; at one of its own nothing is typed', () => {
    const tty = 136 * 256 + 3;
    const reader = { pid: 10, tty, blockedReading: 0, files: { 0: '/dev/pts/3', 1: '/dev/pts/3' } };
    const person = { pid: 5, tty, stranger: true } as const;
    expect(codesOf(subjectAt(1, [reader, person]))).toEqual([]);
    expect(codesOf(subjectAt(1, [reader, { pid: 11, tty, files: { 1: '/dev/pts/3' } }]))).toEqual(['waiting-on-stdin']);
    expect(codesOf(subjectAt(1, [{ ...reader, files: { 0: '/dev/tty1' } }]))).toEqual([]);
  });

  test('where the machine tells only that it reads, it must have nothing else to read', () => {
    const read = { wait: { kind: 'read', fd: null } } as const;
    const end = (fd: number, target: string) => ({ fd, target, access: 'read' }) as const;
    const files = { 0: 'pipe:[7]', 3: 'pipe:[8]' };
    const reader = (pipes: ProcessProbe['pipes']): Planted => ({ pid: 10, files, probe: { ...read, pipes } });
    expect(codesOf(subjectAt(1, [reader([end(0, 'pipe:[7]')])]))).toEqual(['waiting-on-stdin']);
    expect(codesOf(subjectAt(1, [reader([end(0, 'pipe:[7]'), end(3, 'pipe:[8]')])]))).toEqual([]);
    expect(codesOf(subjectAt(1, [reader([])]))).toEqual([]);
  });

  test('for how long is told once it was watched', () => {
    const reader = { pid: 10, blockedReading: 0, files: { 0: 'pipe:[7]' }, probe: reading(0, 'pipe:[7]') };
    expect(lastOf(twice([reader]))[0]?.figures['seconds']).toBe(120);
  });
});

describe('a pipe that no process writes to', () => {
  const own = { pid: 10, probe: reading(3, 'pipe:[7]') };

  test('whose only writer is the reader itself', () => {
    const [found] = lastOf(twice([own], held('pipe:[7]', [writes(10)])));
    expect(found).toEqual({
      code: 'waiting-on-pipe',
      figures: { pid: 10, file: 'pipe:[7]', seconds: 120, writer: 'itself' },
    });
  });

  test('whose writers wait in turn for the reader', () => {
    const parent = { pid: 9, probe: { wait: { kind: 'child' } } } as const;
    const child = { ...own, ppid: 9 };
    const [found] = lastOf(twice([parent, child], held('pipe:[7]', [writes(9), writes(10)])));
    expect(found?.figures).toMatchObject({ pid: 10, writer: 'job', writers: '9' });
  });

  test('is called probable where others may have it too', () => {
    expect(lastOf(twice([own], held('pipe:[7]', [writes(10)], false)))[0]?.figures).toMatchObject({ doubt: 1 });
  });

  test.each([
    ['its writer is at work', [{ pid: 9 }, { ...own, ppid: 9 }], [writes(9)]],
    ['its writer is outside the job', [own, { pid: 5, stranger: true }], [writes(10), writes(5)]],
    [
      'its writer waits for another child that is at work',
      [
        { pid: 9, probe: { wait: { kind: 'child' } } },
        { ...own, ppid: 9 },
        { pid: 11, ppid: 9 },
      ],
      [writes(9)],
    ],
  ] as const)('not when %s', (_what, processes, holders) => {
    expect(codesOf(...twice(processes, held('pipe:[7]', holders)))).toEqual([]);
  });

  test('not at the first look, not where writers were not looked for, not when it ran in between', () => {
    const seen = held('pipe:[7]', [writes(10)]);
    expect(codesOf(subjectAt(10_000, [own], seen))).toEqual([]);
    expect(codesOf(...twice([own]))).toEqual([]);
    const ran = { pid: 10, probe: reading(3, 'pipe:[7]', { switches: 11 }) };
    expect(codesOf(subjectAt(10_000, [own], seen), subjectAt(10_120, [ran], seen))).toEqual([]);
  });

  test('not when another of its threads may be at work', () => {
    const threads = { pid: 10, probe: reading(3, 'pipe:[7]', { threads: 4 }) };
    const seen = held('pipe:[7]', [writes(10)]);
    expect(codesOf(...twice([threads], seen))).toEqual([]);
    expect(codesOf(...twice([threads], { ...seen, silentSeconds: 600 }))).toEqual(['waiting-on-pipe']);
  });

  test('a named pipe that no process opens at its other end', () => {
    expect(lastOf(twice([{ pid: 10, probe: { wait: { kind: 'open' } } }]))[0]?.figures).toMatchObject({
      writer: 'unopened',
    });
  });
});

describe('a lock that another process holds', () => {
  const waiter = (lockHolder: number | null): Planted => ({
    pid: 10,
    files: { 3: '/srv/build.lock' },
    probe: { wait: { kind: 'lock', fd: 3 }, lockHolder },
  });

  test('whose: process and command', () => {
    const holder = { pid: 5, argv: ['cargo', 'build', '--token', 'abc'], stranger: true } as const;
    expect(lastOf(twice([waiter(5), holder]))).toEqual([
      {
        code: 'waiting-for-lock',
        figures: { pid: 10, seconds: 120, file: '/srv/build.lock', holder: 5, command: 'cargo build --token ***' },
      },
    ]);
  });

  test('left behind by a process that has ended is held by the process that inherited the file', () => {
    const seen = held('/srv/build.lock', [
      { pid: 10, access: 'read', locks: false },
      { pid: 6, access: 'read', locks: true },
    ]);
    const heir = { pid: 6, stranger: true } as const;
    expect(lastOf(twice([waiter(4), heir], seen))[0]?.figures).toMatchObject({ holder: 6 });
    expect(lastOf(twice([waiter(null)]))[0]?.figures['holder']).toBeUndefined();
  });

  test('by a member at work is taking turns; by a member that waits for the waiter it is none', () => {
    expect(codesOf(...twice([waiter(9), { pid: 9, argv: ['make'] }]))).toEqual([]);
    const parent = { pid: 9, probe: { wait: { kind: 'child' } } } as const;
    expect(codesOf(...twice([parent, { ...waiter(9), ppid: 9 }]))).toEqual(['waiting-for-lock']);
  });

  test('held, it troubles no job', () => {
    expect(codesOf(...twice([{ pid: 10, files: { 3: '/srv/build.lock' } }]))).toEqual([]);
  });
});

test('what was found in a job holds until it is looked into again, what every look shows does not', () => {
  const latest = [
    { code: 'waiting-on-pipe', figures: { pid: 10 } },
    { code: 'stopped', figures: { pid: 10 } },
  ] as const;
  const codes = (probe: null | undefined): readonly string[] =>
    diagnose(subjectAt(1, [{ pid: 10, state: 'D' }], probe === null ? { probe } : {}), null, latest).diagnoses.map(
      ({ code }) => code,
    );
  expect(codes(null)).toEqual(['waiting-on-pipe']);
  expect(codes(undefined)).toEqual([]);
});

describe('a disk', () => {
  const waiting = (more: Partial<ProcessProbe> = {}): Planted => ({ pid: 10, state: 'D', probe: more });

  test('is waited for only by who has not run for a while, and not by who waits for its vfork', () => {
    expect(codesOf(...twice([waiting({ place: 'nfs_wait_bit_killable' })]))).toEqual(['disk-wait']);
    expect(codesOf(subjectAt(10_000, [waiting()]))).toEqual([]);
    expect(codesOf(subjectAt(10_000, [waiting()]), subjectAt(10_120, [waiting({ switches: 11 })]))).toEqual([]);
    expect(codesOf(...twice([waiting({ place: 'kernel_clone' })]))).toEqual([]);
  });
});

describe('children that are not collected', () => {
  const parent: Planted = { pid: 10, argv: ['node', 'server.js'] };
  const zombie = (pid: number): Planted => ({ pid, ppid: 10, argv: [], state: 'Z', stranger: true });
  const zombies = (from: number, count: number): readonly Planted[] =>
    Array.from({ length: count }, (_, number) => zombie(from + number));

  test('are told once they are still there at a later look, all of them, with their parent', () => {
    const looks = [0, 15].map((seconds) => subjectAt(seconds, [parent, ...zombies(100, 40)]));
    expect(lastOf(looks)).toEqual([{ code: 'zombie-children', figures: { pid: 10, count: 40, parent: 'node' } }]);
  });

  test('a build whose children end all the time is caught with another one at each look', () => {
    const looks = [0, 15, 30].map((seconds) => subjectAt(seconds, [parent, zombie(100 + seconds)]));
    for (const count of [1, 2, 3]) expect(codesOf(...looks.slice(0, count))).toEqual([]);
  });
});
