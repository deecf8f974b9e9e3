import { describe, expect, test } from 'vitest';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { blockedReadingIn, readsPipeIn } from '../../../../main/os/linux/facts/member-facts.ts';
import type { BuildProcess } from '../../../../main/os/linux/facts/shared-by-name.ts';
import { established, networkRowsIn } from '../../../../main/os/linux/sockets/network-table.ts';
import { accessIn } from '../../../../main/os/linux/proc/open-files.ts';
import {
  descriptorLimitIn,
  lockHoldersIn,
  minorFaultsIn,
  threadCpuMsIn,
  waitIn,
} from '../../../../main/os/linux/probe/process-probes.ts';
import { pressureIn, trafficIn } from '../../../../main/os/linux/probe/probing.ts';

test.each([
  ['0 0x0 0x7ffe 0x1000 0x0 0x0 0x0 0x7ffd 0x7f1d', 'x64', 0],
  ['63 0x3 0x7ffe 0x1000', 'arm64', 3],
  ['63 0x3 0x7ffe 0x1000', 'x64', null],
  ['230 0x0 0x0 0x7ffe', 'x64', null],
  ['running', 'x64', null],
  ['-1 0x7ffe 0x0', 'x64', null],
  ['', 'x64', null],
  [null, 'x64', null],
] as const)('/proc/PID/syscall %j on %s: blocked reading %s', (text, architecture, fd) => {
  expect(blockedReadingIn(text, architecture)).toBe(fd);
});

describe('what a process waits for', () => {
  test.each([
    ['0 0x3 0x7ffe 0x1 0x0', 'anon_pipe_read', 'x64', { kind: 'read', fd: 3 }],
    ['257 0xffffff9c 0x5643 0x0 0x0', 'wait_for_partner', 'x64', { kind: 'open' }],
    ['257 0xffffff9c 0x5643 0x0 0x0', 'request_wait_answer', 'x64', { kind: 'other' }],
    ['73 0x3 0x2 0x0 0x1b6', 'locks_lock_inode_wait', 'x64', { kind: 'lock', fd: 3 }],
    ['72 0x3 0x7 0x564d 0x0', 'fcntl_setlk', 'x64', { kind: 'lock', fd: 3 }],
    ['72 0x3 0x1 0x564d 0x0', '0', 'x64', { kind: 'other' }],
    ['32 0x4 0x2 0x0', null, 'arm64', { kind: 'lock', fd: 4 }],
    ['230 0x0 0x0 0x7ffe', null, 'x64', { kind: 'sleep' }],
    ['61 0xa 0x7ffe 0x0', null, 'x64', { kind: 'child' }],
    ['7 0x7ffd 0x2 0xffffffff', 'poll_schedule_timeout.constprop.0', 'x64', { kind: 'other' }],
    ['running', null, 'x64', null],
    [null, 'pipe_read', 'x64', { kind: 'read', fd: null }],
    [null, 'flock_lock_inode_wait', 'x64', { kind: 'lock', fd: null }],
    [null, 'hrtimer_nanosleep', 'riscv64', { kind: 'sleep' }],
    [null, 'ep_poll', 'x64', { kind: 'other' }],
    [null, null, 'x64', null],
  ] as const)('%j in %j on %s', (syscall, place, architecture, wait) => {
    expect(waitIn(syscall, place, architecture)).toEqual(wait);
  });
});

test('the holder of a lock, by the pid of its waiter', () => {
  const text = [
    '1: POSIX  ADVISORY  WRITE 12 fe:00:2179139 0 EOF',
    '1: -> POSIX  ADVISORY  WRITE 14 fe:00:2179139 0 EOF',
    '1:  -> POSIX  ADVISORY  READ 15 fe:00:2179139 0 EOF',
    '2: FLOCK  ADVISORY  WRITE 8 fe:00:2179121 0 EOF',
    '3: OFDLCK ADVISORY  WRITE -1 fe:00:2179122 0 EOF',
    '3: -> OFDLCK ADVISORY  WRITE 16 fe:00:2179122 0 EOF',
    '4: LEASE  ACTIVE    READ 17 fe:00:2179123 0 EOF',
    '',
  ].join('\n');
  expect([...lockHoldersIn(text)]).toEqual([
    [14, 12],
    [15, 12],
  ]);
});

test('established connections, with their ends, queues and keepalive', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const over4 = networkRowsIn(
    [
      head,
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1 0000 100 0 0 10 0',
      '   1: 0100007F:C350 0700000A:01BB 01 00000028:00000010 02:000A7D8C 00000000  1000        0 101 2 0000 20 4 30 10 -1',
      '',
    ].join('\n'),
    'tcp',
    established,
  );
  const over6 = networkRowsIn(
    [
      head,
      '   0: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000700000A:01BB 01 00000000:00000000 00:00000000 00000000  1000 0 102 1',
      '   1: B80D0120000000000000000001000000:C352 B80D0120000000000000000002000000:01BB 01 00000000:00000000 01:00000014 00000000  1000 0 103 1',
    ].join('\n'),
    'tcp',
    established,
  );
  expect([...over4, ...over6]).toEqual([
    {
      protocol: 'tcp',
      state: '01',
      inode: '101',
      local: '127.0.0.1:50000',
      remote: '10.0.0.7:443',
      keptAlive: true,
      unacknowledgedBytes: 40,
      unreadBytes: 16,
    },
    expect.objectContaining({ inode: '102', local: '127.0.0.1:50001', remote: '10.0.0.7:443', keptAlive: false }),
    expect.objectContaining({ inode: '103', local: '[2001:db8::1]:50002', remote: '[2001:db8::2]:443' }),
  ]);
});

test('figures are read from small files', () => {
  expect(accessIn('pos:\t0\nflags:\t0100000\nmnt_id:\t43\n')).toBe('read');
  expect(accessIn('pos:\t0\nflags:\t02000001\n')).toBe('write');
  expect(accessIn('flags:\t02\n')).toBe('both');
  expect(accessIn('')).toBeNull();
  expect(pressureIn('some avg10=0.00 avg60=12.50 avg300=0.00 total=0\nfull avg10=0.00 avg60=1.00')).toBe(12.5);
  expect(pressureIn(null)).toBeNull();
  expect(descriptorLimitIn('Max open files            1024                 524288               files     \n')).toBe(
    1024,
  );
  expect(
    descriptorLimitIn('Max open files            unlimited            unlimited            files     \n'),
  ).toBeNull();
  expect(minorFaultsIn('7 (a) b) S 1 7 7 0 -1 4194560 329 0 0 0 1 2 3')).toBe(329);
  expect(minorFaultsIn('')).toBeNull();
  expect(threadCpuMsIn('1234567890 4711 12\n')).toBeCloseTo(1234.567_89);
  expect(threadCpuMsIn('')).toBeNull();
});

test('the traffic of a connection, as ss prints it', () => {
  // iproute2 6.1 on Linux 6.18, shortened.
  const text = [
    '0      0      127.0.0.1:53180 127.0.0.1:45543 ino:10026201 sk:1 cgroup:/ <-> ts sack bbr bytes_sent:1234 bytes_acked:1235 segs_out:3',
    '0      0      127.0.0.1:45543 127.0.0.1:53180 uid:1000 ino:10026202 sk:2 <-> ts sack bbr bytes_received:1234 segs_out:1',
    'Error: an inet prefix is expected',
    '',
  ].join('\n');
  expect([...trafficIn(text)]).toEqual([
    ['10026201', { sentBytes: 1234, receivedBytes: 0 }],
    ['10026202', { sentBytes: 0, receivedBytes: 1234 }],
  ]);
});

describe('a named pipe', () => {
  const file = (fd: number, target: string, deleted = false): OpenFile => ({ fd, target, deleted });
  const process = (name: string, ...opened: readonly (readonly [string, 'read' | 'write' | 'both', boolean?])[]) => ({
    name,
    files: opened.map(([target, , deleted], fd) => file(fd, target, deleted)),
    access: (fd: number) => opened[fd]?.[1] ?? null,
  });
  const held = (fd: number, target: string, above: readonly BuildProcess[] = []) =>
    readsPipeIn(
      'do_wait',
      [file(fd, target)],
      () => true,
      () => above,
    );

  test('is read where it is held to read, or its opening waits; outputs are not', () => {
    expect(held(3, '/tmp/orders')).toEqual({ readsPipe: true });
    expect(held(3, '/dev/shm/orders')).toEqual({ readsPipe: true });
    expect(held(1, '/tmp/orders')).toEqual({});
    expect(held(3, '/dev/tty')).toEqual({});
    expect(held(0, 'pipe:[17]')).toEqual({});
    const opening = (place: string | null, files: readonly OpenFile[]) =>
      readsPipeIn(
        place,
        files,
        () => false,
        () => [],
      );
    expect(opening('wait_for_partner', [])).toEqual({ readsPipe: true });
    expect(opening(null, [file(3, '/tmp/plain')])).toEqual({});
  });

  test('is read by what has more files than are looked at, and seen behind a thousand others', () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => file(at + 3, `/tmp/${at}`));
    const read = (count: number) =>
      readsPipeIn(
        null,
        files(count),
        ({ target }) => target === '/tmp/999',
        () => [],
      );
    expect([read(999), read(1_000), read(1_025)]).toEqual([{}, { readsPipe: true }, { readsPipe: true }]);
  });

  const build = '/tmp/GMfifo17';
  const make = process('make', [build, 'read'], [build, 'write']);

  test('is the build’s where the process or one above it is the make that opened it', () => {
    expect(held(3, build, [make])).toEqual({});
    expect(held(3, build, [process('cc1', [build, 'both']), process('sh'), make])).toEqual({});
  });

  test('is none by its name alone, nor by a make that has another one or was given it', () => {
    for (const above of [
      [],
      [process('bash', [build, 'read'], [build, 'write'])],
      [process('sh'), process('make')],
      [process('make', ['/tmp/GMfifo18', 'read'], ['/tmp/GMfifo18', 'write'])],
      [process('make', [build, 'read', true], [build, 'write', true])],
      [process('make', [build, 'both'])],
    ])
      expect(held(3, build, above)).toEqual({ readsPipe: true });
  });
});
