import { describe, expect, test } from 'vitest';
import type { Connection, OutputFile } from '../../../app/diagnose/probe.ts';
import { codesOf, every, lastOf, subjectAt } from './subject-builder.ts';
import { safe } from '../safe-text.ts';

const talking: Connection = {
  inode: '9',
  remote: '10.0.0.7:443',
  local: '10.0.0.5:50000',
  keptAlive: false,
  unacknowledgedBytes: 0,
  unreadBytes: 0,
};

describe('spinning', () => {
  const loop = (cpuMsPerSecond: number, change: (number: number) => object = () => ({})) =>
    every(30, 12, (number, seconds) =>
      subjectAt(seconds, [{ pid: 10, cpuMs: number * 30 * cpuMsPerSecond }], change(number)),
    );

  test('minutes of processor time in which nothing else changes', () => {
    expect(lastOf(loop(1000))).toEqual([
      { code: 'spinning', figures: { pid: 10, cpuPercent: 100, seconds: 330, doubt: 1 } },
    ]);
  });

  test('on a busy machine a loop gets only its share, and never gives it away by itself', () => {
    expect(codesOf(...loop(200))).toEqual(['spinning']);
    const yielding = every(30, 12, (number, seconds) =>
      subjectAt(seconds, [{ pid: 10, cpuMs: number * 6000, probe: { switches: number } }]),
    );
    expect(codesOf(...yielding)).toEqual([]);
  });

  test('nor does a moment in which it gets no turn at all break it off: two looks in a row, a machine that stands', () => {
    const starved = (state: 'R' | 'S') => {
      const looks = loop(1000);
      const last = subjectAt(10_331, [{ pid: 10, cpuMs: 11 * 30_000, state }]);
      return [...looks, { ...last, table: { ...last.table, nowTicks: (looks.at(-1)?.table.nowTicks ?? 0) + 100 } }];
    };
    expect(codesOf(...starved('R'))).toEqual(['spinning']);
    const amongDozens = every(30, 12, (number, seconds) =>
      subjectAt(seconds, [{ pid: 10, cpuMs: number * 1500, state: 'R' }]),
    );
    expect(lastOf(amongDozens)[0]).toMatchObject({ code: 'spinning', figures: { cpuPercent: 5 } });
    expect(codesOf(...starved('S'))).toEqual([]);
  });

  test('on a busy machine also where a thread burns beside a first one that waits, if it burns enough', () => {
    const beside = (cpuMsPerSecond: number, connections: readonly Connection[] = []) =>
      every(30, 12, (number, seconds) =>
        subjectAt(seconds, [
          {
            pid: 10,
            cpuMs: number * 30 * cpuMsPerSecond,
            probe: { threads: 4, firstThreadCpuMs: 100, switches: connections.length === 0 ? 10 : number, connections },
          },
        ]),
      );
    expect(codesOf(...beside(900))).toEqual(['spinning']);
    // Its first thread never runs, so it doesn't tell whether the others give the processor away in
    // between.
    expect(codesOf(...beside(200))).toEqual([]);
    // recv(2) and send(2) count among the bytes of no process (fs/read_write.c counts read and
    // write).
    expect(codesOf(...beside(900, [talking]))).toEqual([]);
  });

  test.each([
    ['little processor time', loop(100)],
    ['output that grows', loop(1000, (number) => ({ outputBytes: number }))],
    ['bytes read or written', loop(1000, (number) => ({ ioBytes: number * 4096 }))],
    ['what can’t be read', loop(1000, () => ({ ioBytes: null }))],
    ['minutes that are too few', loop(1000).slice(0, 9)],
    [
      'memory that is touched for the first time: a silent computation',
      every(30, 12, (number, seconds) =>
        subjectAt(seconds, [{ pid: 10, cpuMs: number * 30_000, probe: { minorFaults: 100 + number } }]),
      ),
    ],
    [
      'other processes each time: a silent build',
      every(30, 12, (number, seconds) =>
        subjectAt(seconds, [{ pid: 10, cpuMs: number * 30_000 }, { pid: 11 + number }]),
      ),
    ],
  ])('not with %s', (_what, looks) => {
    expect(codesOf(...looks)).toEqual([]);
  });
});

describe('polling', () => {
  const outputs: readonly OutputFile[] = [{ path: '/tmp/x.output', bytes: 100, freeBytes: null }];
  const asks = (
    command: string,
    more: { bytes?: (number: number) => number; ports?: number[]; argv?: string[] } = {},
  ) =>
    every(60, 7, (number, seconds) =>
      subjectAt(
        seconds,
        [
          { pid: 10, argv: more.argv ?? ['bash', '-c', command], cpuMs: number * 20, ports: more.ports ?? [] },
          { pid: 100 + number, ppid: 10, argv: ['sleep', '50'] },
        ],
        {
          command: safe(command),
          probe: { outputs: outputs.map((file) => ({ ...file, bytes: more.bytes?.(number) ?? 100 })) },
        },
      ),
    );

  test('a loop of pauses without output, with its condition', () => {
    expect(lastOf(asks('until [ -f dist/done ]; do sleep 50; done'))).toEqual([
      { code: 'polling', figures: { seconds: 360, condition: 'until [ -f dist/done ]' } },
    ]);
    expect(lastOf(asks('./wait-for-it.sh'))[0]?.figures).toEqual({ seconds: 360, doubt: 1 });
    expect(codesOf(...asks('while true; do curl -sf localhost && break; sleep 50; done'))).toEqual(['polling']);
  });

  test('a search that finds its own shell', () => {
    const command = `until [ -z "$(pgrep -f 'npm test')" ]; do sleep 50; done`;
    expect(lastOf(asks(command))[0]?.figures).toMatchObject({ itself: 1 });
  });

  test('for a lock file: who stands in it, or that this one has ended', () => {
    const looks = (pid: number) =>
      asks('while [ -e build.lock ]; do sleep 50; done').map((look) => ({
        ...look,
        probe: look.probe === null ? null : { ...look.probe, lockFile: { path: '/srv/build.lock', pid } },
      }));
    expect(lastOf(looks(10))[0]).toMatchObject({ code: 'waiting-for-lock', figures: { holder: 10, polls: 1 } });
    expect(lastOf(looks(4711))[0]?.figures).toMatchObject({ holder: 4711, holderGone: 1, file: '/srv/build.lock' });
  });

  test.each([
    ['a loop that is made to run for ever', asks('while true; do rsync a b; sleep 50; done')],
    ['one that writes', asks('until x; do sleep 50; done', { bytes: (number) => number })],
    ['one that serves', asks('until x; do sleep 50; done', { ports: [3000] })],
    [
      'one whose output can’t be seen',
      asks('until x; do sleep 50; done').map((look) => ({
        ...look,
        probe: look.probe === null ? null : { ...look.probe, outputs: [] },
      })),
    ],
    [
      'one long sleep',
      every(60, 7, (_number, seconds) =>
        subjectAt(seconds, [{ pid: 10 }, { pid: 11, argv: ['sleep', '3600'] }], { probe: { outputs } }),
      ),
    ],
  ])('not %s', (_what, looks) => {
    expect(codesOf(...looks)).toEqual([]);
  });

  const sleeper = (writtenBytes: (number: number) => number | null) =>
    every(60, 7, (number, seconds) =>
      subjectAt(
        seconds,
        [{ pid: 10, probe: { wait: { kind: 'sleep' }, switches: number, writtenBytes: writtenBytes(number) } }],
        { probe: { outputs } },
      ),
    );

  test('a process that goes to sleep again and again by itself', () => {
    expect(codesOf(...sleeper(() => 400))).toEqual(['polling']);
    expect(codesOf(...sleeper(() => null))).toEqual(['polling']);
  });

  test('not a process that writes something between its pauses: a scheduler, a crawler that takes its time', () => {
    expect(codesOf(...sleeper((number) => 400 * number))).toEqual([]);
  });

  test('not a list that is gone through slowly', () => {
    expect(codesOf(...asks('for url in $(cat urls); do curl -sO "$url"; sleep 50; done'))).toEqual([]);
  });
});

describe('leaking descriptors', () => {
  const opens = (count: (number: number) => number, descriptorLimit: number | null = 1024) =>
    every(60, 7, (number, seconds) =>
      subjectAt(seconds, [{ pid: 10, probe: { descriptors: count(number), descriptorLimit } }]),
    );

  test('more at every look, where the limit is near or will be', () => {
    expect(lastOf(opens((number) => 600 + 20 * number))).toEqual([
      { code: 'leaking-descriptors', figures: { pid: 10, fds: 720, more: 120, seconds: 360, limit: 1024 } },
    ]);
    expect(codesOf(...opens((number) => 20 + 20 * number))).toEqual(['leaking-descriptors']);
    expect(codesOf(...opens((number) => 2000 + 20 * number, null))).toEqual(['leaking-descriptors']);
    expect(lastOf(opens(() => 1020))[0]?.figures).toEqual({ pid: 10, fds: 1020, limit: 1024 });
  });

  test.each([
    ['many, but no more', opens(() => 900)],
    ['a few more', opens((number) => 20 + number)],
    ['some of which are closed again', opens((number) => 600 + 20 * (number % 3))],
    ['far from any limit', opens((number) => 20 + 20 * number, 1_048_576)],
    ['opened at the start', opens((number) => Math.min(900, 500 + 200 * number))],
  ])('not %s', (_what, looks) => {
    expect(codesOf(...looks)).toEqual([]);
  });
});

describe('flooding its output', () => {
  const grows = (bytes: (number: number) => number, freeBytes: number | null = 1e12) =>
    every(60, 12, (number, seconds) =>
      subjectAt(seconds, [{ pid: 10 }], {
        probe: { outputs: [{ path: '/tmp/x.output', bytes: bytes(number), freeBytes }] },
      }),
    );

  test('rate, size and what is free', () => {
    expect(lastOf(grows((number) => 1e8 + number * 6e8))).toEqual([
      {
        code: 'flooding-output',
        figures: {
          file: '/tmp/x.output',
          bytes: 6.7e9,
          bytesPerSecond: 1e7,
          freeBytes: 1e12,
          fullInSeconds: 100_000,
        },
      },
    ]);
  });

  test('slowly, onto a disk that will be full within the hour', () => {
    expect(codesOf(...grows((number) => 1e8 + number * 6e6, 1e8))).toEqual(['flooding-output']);
  });

  test.each([
    ['a long output that has come to its end', grows(() => 5e9)],
    ['one that grows slowly', grows((number) => 1e8 + number * 6e6)],
    ['one that is still small', grows((number) => number * 1e6, 1e6)],
    ['one that is rotated', grows((number) => (number % 3) * 6e8)],
  ])('not %s', (_what, looks) => {
    expect(codesOf(...looks)).toEqual([]);
  });
});

describe('a connection', () => {
  const connection: Connection = {
    inode: '99',
    remote: '10.0.0.7:443',
    local: '10.0.0.5:50000',
    keptAlive: false,
    unacknowledgedBytes: 0,
    unreadBytes: 0,
  };
  const holds = (seconds: number, one: Partial<Connection> = {}, silentSeconds = seconds) =>
    [10_000, 10_000 + seconds].map((at) =>
      subjectAt(at, [{ pid: 10, probe: { connections: [{ ...connection, ...one }] } }], { silentSeconds }),
    );

  test('on which nothing came or went for half of the limit, when its end would not be noticed', () => {
    expect(lastOf(holds(1000, { unacknowledgedBytes: 40 }))).toEqual([
      {
        code: 'long-connection',
        figures: { pid: 10, address: '10.0.0.7:443', seconds: 1000, keptAlive: 0, unacknowledgedBytes: 40 },
      },
    ]);
  });

  test('with what went over it, where that is known', () => {
    const traffic = new Map([['99', { sentBytes: 300, receivedBytes: 0 }]]);
    const looks = holds(1000).map((look) => ({
      ...look,
      probe: look.probe === null ? null : { ...look.probe, traffic },
    }));
    expect(lastOf(looks)[0]?.figures).toMatchObject({ sentBytes: 300, receivedBytes: 0 });
  });

  test('that the kernel keeps alive, after twice the limit', () => {
    expect(codesOf(...holds(1000, { keptAlive: true }))).toEqual([]);
    expect(codesOf(...holds(3700, { keptAlive: true }))).toEqual(['long-connection']);
  });

  test('not while something goes over it now and then, not to the job itself, not a new one each time', () => {
    expect(codesOf(...holds(4000, {}, 30))).toEqual([]);
    const other = { ...connection, inode: '98', remote: connection.local, local: connection.remote };
    const both = [10_000, 14_000].map((at) =>
      subjectAt(at, [{ pid: 10, probe: { connections: [connection, other] } }], { silentSeconds: 4000 }),
    );
    expect(codesOf(...both)).toEqual([]);
    const [first, second] = [holds(4000), holds(4000, { inode: '100' })];
    expect(codesOf(...first.slice(0, 1), ...second.slice(1))).toEqual([]);
  });
});

describe('memory', () => {
  const scarce = (pressurePercent: number, rssBytes: number, swapBytes = 0) =>
    subjectAt(1000, [{ pid: 10, rssBytes, probe: { swapBytes } }], {
      probe: { memory: { pressurePercent, of: 'machine', totalBytes: 8e9 } },
    });

  test('is told only when it is scarce and the job has much of it', () => {
    expect(lastOf([scarce(22.4, 3e9, 1e9)])).toEqual([
      {
        code: 'memory-pressure',
        figures: { pressurePercent: 22, of: 'machine', rssBytes: 3e9, swapBytes: 1e9, sharePercent: 50 },
      },
    ]);
    expect(codesOf(scarce(22.4, 1e8))).toEqual([]);
    expect(codesOf(scarce(1, 7e9))).toEqual([]);
    expect(codesOf(scarce(30, 1e6, 2e9))).toEqual(['memory-pressure']);
  });
});

describe('fast growth', () => {
  /** A process that began at second 10,000, and its memory at some seconds of its life. */
  const holding = (...held: readonly (readonly [number, number])[]) =>
    held.map(([seconds, rssBytes]) =>
      subjectAt(10_000 + seconds, [{ pid: 10, rssBytes, startTicks: 1_000_000 }], { probe: null }),
    );
  const told = (bytes: number, seconds: number) => [{ code: 'fast-growth', figures: { pid: 10, bytes, seconds } }];

  test('of a young process is told at the first look', () => {
    expect(lastOf(holding([20, 6e9]))).toEqual(told(6e9, 20));
  });

  test('of an old process is what it took between two looks, also where most came late', () => {
    expect(lastOf(holding([600, 1e8], [610, 1e8], [620, 5e9]))).toEqual(told(4.9e9, 20));
    expect(lastOf(holding([600, 1e8], [628, 2.2e9], [640, 3.2e9], [655, 5.2e9]))).toEqual(told(5.1e9, 55));
  });

  test('is told until half of it is given back', () => {
    const grown = [
      [600, 1e8],
      [620, 6e9],
    ] as const;
    expect(lastOf(holding(...grown, [900, 6e9]))).toEqual(told(5.9e9, 20));
    expect(lastOf(holding(...grown, [900, 1e9]))).toEqual([]);
  });

  test.each<[string, readonly (readonly [number, number])[]]>([
    ['what a process had at the first look', [[600, 8e9]]],
    ['growth over minutes', Array.from({ length: 20 }, (_, at) => [600 + at * 30, at * 1e9] as const)],
    [
      'what came between two looks far apart',
      [
        [600, 1e8],
        [800, 9e9],
      ],
    ],
    [
      'less',
      [
        [600, 1e8],
        [620, 4e9],
      ],
    ],
    [
      'what comes and goes',
      [
        [600, 3e9],
        [610, 1e8],
        [620, 3e9],
      ],
    ],
  ])('is not %s', (_name, held) => {
    expect(lastOf(holding(...held))).toEqual([]);
  });

  test('is not the memory that many share with what forked them', () => {
    const forked = every(10, 6, (number, seconds) =>
      subjectAt(
        10_600 + seconds,
        Array.from({ length: number * 8 + 1 }, (_, at) => ({ pid: 10 + at, rssBytes: 9e8 })),
      ),
    );
    expect(codesOf(...forked)).toEqual([]);
  });
});
