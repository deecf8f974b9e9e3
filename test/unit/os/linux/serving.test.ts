import { describe, expect, test } from 'vitest';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { DisplayReader, isDisplayName } from '../../../../main/os/linux/sockets/displays.ts';
import { exchangeOf } from '../../../../main/os/linux/sockets/exchange.ts';
import { lastInodesIn } from '../../../../main/os/linux/sockets/local-world.ts';
import { networkRowsIn, networkTable } from '../../../../main/os/linux/sockets/network-table.ts';
import { servedIn, servedOf } from '../../../../main/os/linux/sockets/serving.ts';
import type { SocketWorld } from '../../../../main/os/linux/sockets/socket-world.ts';
import {
  type LocalSocket,
  localSocketsIn,
  peersIn,
  sendersIn,
  withPeer,
} from '../../../../main/os/linux/sockets/unix-table.ts';

const line = (local: string, remote: string, inode: string, state = '01'): string =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;

const tableOf = (...lines: readonly string[]) =>
  networkTable(networkRowsIn(['header', ...lines].join('\n'), 'tcp'), true);

/**
 * 127.0.0.1:3000 with 127.0.0.1:5000, [::ffff:127.0.0.1]:3000 with 127.0.0.1:5001, 10.0.0.5:3000
 * with 10.0.0.7:5002, and an outgoing one.
 */
const table = tableOf(
  line('00000000:0BB8', '00000000:0000', '10', '0A'),
  line('0100007F:0BB8', '0100007F:1388', '11'),
  line('0100007F:1388', '0100007F:0BB8', '21'),
  line('0000000000000000FFFF00000100007F:0BB8', '0000000000000000FFFF00000100007F:1389', '12'),
  line('0100007F:1389', '0100007F:0BB8', '22'),
  line('0500000A:0BB8', '0700000A:138A', '13'),
  line('0500000A:D0AF', '0700000A:01BB', '14'),
  line('0100007F:0BB8', '0100007F:138C', '15'),
  line('0100007F:0BB8', '0100007F:138D', '16'),
  line('0100007F:138D', '0100007F:0BB8', '0', '05'),
);
const served = (...inodes: readonly string[]) => servedIn(table, new Set(inodes), new Set([3000]));

describe('connections to a port', () => {
  test('from this machine: with the socket at the other end, also where one end speaks IPv6', () => {
    expect(served('11', '12')).toEqual([
      { by: 'connection', at: 'port 3000', from: '127.0.0.1:5000', peers: ['21'] },
      { by: 'connection', at: 'port 3000', from: '127.0.0.1:5001', peers: ['22'] },
    ]);
  });

  test('from another machine', () => {
    expect(served('13')).toEqual([{ by: 'connection', at: 'port 3000', from: '10.0.0.7:5002', peers: null }]);
  });

  test('outgoing, closing and foreign connections do not count', () => {
    expect(served('10', '14', '15', '16', '21', '99')).toEqual([]);
  });

  test('also before it was accepted, and after the listener was closed', () => {
    const waiting = tableOf(
      line('00000000:0BB8', '00000000:0000', '10', '0A'),
      line('0100007F:0BB8', '0100007F:C350', '0'),
      line('0100007F:C350', '0100007F:0BB8', '31'),
    );
    expect(servedIn(waiting, new Set(['10']), new Set([3000]))).toMatchObject([{ peers: ['31'] }]);
    const closed = tableOf(line('0100007F:0BB8', '0100007F:C350', '30'), line('0100007F:C350', '0100007F:0BB8', '31'));
    expect(servedIn(closed, new Set(['30']), new Set())).toMatchObject([{ peers: ['31'] }]);
    expect(servedIn(tableOf(line('0500000A:0BB8', '0700000A:138A', '13')), new Set(['13']), new Set())).toHaveLength(1);
  });

  test('with a table that was cut off, a connection without its other side may have one', () => {
    const cut = networkTable(networkRowsIn(line('0100007F:0BB8', '0100007F:1388', '11'), 'tcp'), false);
    expect(servedIn(cut, new Set(['11']), new Set([3000]))).toMatchObject([{ peers: null }]);
  });
});

test('local sockets: listening, accepted and connecting ones with their names', () => {
  const text = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 30 /tmp/a b.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 31 /tmp/a b.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 32',
    '0000000000000000: 00000003 00000000 00000000 0005 03 33 @abstract',
    '0000000000000000: 00000002 00000000 00000000 0002 01 34 /run/log',
  ].join('\n');
  const said = [...localSocketsIn(text).values()].map(({ inode, type, listens, connected, name, peer }) =>
    [inode, type, listens, connected, name, typeof peer === 'string' ? peer : peer.inode].join(' '),
  );
  expect(said).toEqual([
    '30 stream true false /tmp/a b.sock none',
    '31 stream false true /tmp/a b.sock unknown',
    '32 stream false true  unknown',
    '33 packets false true @abstract unknown',
    '34 datagram false false /run/log none',
  ]);
});

test('local sockets: one that listens has clients that were not accepted yet, and it is unknown which', () => {
  const listener = '0000000000000000: 00000002 00000000 00010000 0001 01 30 @served';
  const waiting = '0000000000000000: 00000002 00000000 00000000 0001 02     0 @served';
  const other = '0000000000000000: 00000002 00000000 00000000 0001 02     0 @other';
  const closing = '0000000000000000: 00000002 00000000 00000000 0001 04     0 @served';
  const waitingIn = (...lines: readonly string[]) => localSocketsIn(lines.join('\n')).get('30')?.waiting;
  expect(waitingIn(listener, waiting)).toBe('unknown');
  expect(waitingIn(waiting, listener)).toBe('unknown');
  expect(waitingIn(listener, other, closing)).toEqual([]);
});

test('local sockets: the other end, as ss of iproute2 6.1 prints it; 0 where it is closed', () => {
  const text = [
    'u_str ESTAB 0      0                             * 20281876 * 20281877',
    'u_str ESTAB 0      768    /tmp/a b.sock 20283737 * 20283736  ',
    'u_str ESTAB 0      0                             * 20283736 /tmp/a.sock 20283737',
    'u_str ESTAB 0      0      /tmp/a.sock 20283739 * 0',
    'u_str LISTEN 0     5',
  ].join('\n');
  expect(Object.fromEntries(peersIn(text))).toEqual({
    20281876: '20281877',
    20283737: '20283736',
    20283736: '20283737',
    20283739: '0',
  });
  const socket: LocalSocket = { ...stream('20283737'), peer: 'unknown' };
  expect(withPeer(socket, peersIn(text)).peer).toEqual({ inode: '20283736' });
  expect(withPeer({ ...socket, inode: '20283739' }, peersIn(text)).peer).toBe('closed');
  expect(withPeer({ ...socket, inode: '1' }, peersIn(text)).peer).toBe('unknown');
  expect(withPeer(socket, null).peer).toBe('unknown');
});

// unix(7): a name is any bytes, and the kernel and ss print its line breaks as they are.
test('local sockets: what a name that holds lines says of another socket counts for nothing', () => {
  const row = (flags: string, state: string, inode: number, name = ''): string =>
    `00000000442bb7d7: 00000002 00000000 ${flags} 0001 ${state} ${inode}${name}`;
  const forged = row('00000000', '01', 30, ' /x');
  const ofOthers = row('00010000', '01', 50, ` /tmp/nl\n${forged}`);
  const real = row('00000000', '03', 30);
  const told = 'u_str ESTAB 0 0 * 30 * 31';
  const ofSs = 'u_str ESTAB 0 0 /tmp/nl 1 * 0\nu_str ESTAB 0 0 * 30 * 0\nu_str ESTAB 0 0 y 51 * 52';
  for (const [text, ends] of [
    [`${real}\n${ofOthers}`, `${told}\n${ofSs}`],
    [`${ofOthers}\n${real}`, `${ofSs}\n${told}`],
  ] as const) {
    const sockets = localSocketsIn(text);
    expect(sockets.get('30')).toMatchObject({ connected: true, peer: 'unknown' });
    const peers = peersIn(ends);
    expect(withPeer(stream('30', { peer: 'unknown' }), peers).peer).toBe('unknown');
    expect(sendersIn(peers, '31')).toContain('30');
  }
});

test('sockets of netlink and packets: their inodes stand in the last column', () => {
  const netlink = 'sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n00000000abc 0 12 00000000 0 0 0 2 0 4711\n';
  expect(lastInodesIn(netlink)).toEqual(['4711']);
});

function stream(inode: string, more: Partial<LocalSocket> = {}): LocalSocket {
  return { inode, type: 'stream', listens: false, connected: true, name: null, peer: 'none', waiting: [], ...more };
}

/** Returns a machine with these local sockets and no network. */
const worldOf = (sockets: readonly LocalSocket[], more: Partial<SocketWorld> = {}): SocketWorld => ({
  network: () => networkTable([], true),
  listeningPaths: () => new Map(),
  local: (_pid, inode) => sockets.find((socket) => socket.inode === inode) ?? null,
  isNoConnection: () => null,
  otherEnds: () => null,
  senders: () => [],
  displays: () => [],
  compositorSockets: () => new Set(),
  ...more,
});
const filesOf = (...inodes: readonly string[]): readonly OpenFile[] =>
  inodes.map((inode, fd) => ({ fd, target: `socket:[${inode}]`, deleted: false }));
const process = (...inodes: readonly string[]) => ({ pid: 7, files: filesOf(...inodes), ports: new Set<number>() });

describe('the clients of a process', () => {
  test('through a local socket: accepted, waiting, sending; not where the other end was closed', () => {
    const world = worldOf(
      [
        stream('1', { name: '/tmp/db', peer: { inode: '91' } }),
        stream('2', { name: '/tmp/db', listens: true, connected: false, waiting: ['92'] }),
        stream('3', { type: 'datagram', name: '/tmp/log', connected: false }),
        stream('4', { name: '/tmp/db', peer: 'closed' }),
        stream('5', { peer: { inode: '95' } }),
      ],
      { senders: (_pid, inode) => (inode === '3' ? ['93'] : []) },
    );
    expect(servedOf(process('1', '2', '3', '4', '5'), world).map(({ peers }) => peers)).toEqual([
      ['91'],
      ['92'],
      ['93'],
    ]);
  });

  test('are unknown: unreadable files, a socket in no table, an end without a name', () => {
    const by = (files: readonly OpenFile[] | null, world: SocketWorld) =>
      servedOf({ pid: 7, files, ports: new Set() }, world).map((one) => one.by);
    expect(by(null, worldOf([]))).toEqual(['unknown']);
    expect(by(filesOf('1'), worldOf([]))).toEqual(['unknown']);
    expect(by(filesOf('1'), worldOf([], { network: () => null }))).toEqual(['unknown']);
    expect(by(filesOf('1'), worldOf([stream('1', { name: '/a', peer: 'unknown' })]))).toEqual(['unknown']);
    const waitedFor = stream('1', { name: '/a', listens: true, connected: false, waiting: 'unknown' });
    expect(by(filesOf('1'), worldOf([waitedFor]))).toEqual(['unknown']);
    const datagrams = stream('1', { name: '/a', type: 'datagram', connected: false });
    expect(by(filesOf('1'), worldOf([datagrams], { senders: () => null }))).toEqual(['unknown']);
    expect(by(Array.from({ length: 4096 }, () => filesOf('1')).flat(), worldOf([stream('1')]))).toEqual(['unknown']);
  });

  test('are none: without a socket, with closed ones and those of the kernel', () => {
    expect(servedOf(process(), worldOf([]))).toEqual([]);
    expect(servedOf(process('1'), worldOf([], { isNoConnection: () => 'closed' }))).toEqual([]);
    expect(servedOf(process('1'), worldOf([], { isNoConnection: () => 'machine' }))).toEqual([]);
  });
});

describe('displays', () => {
  test.each([
    ['/tmp/.X11-unix/X0', true],
    ['@/tmp/.X11-unix/X12', true],
    ['/mnt/wslg/.X11-unix/X0', true],
    ['/mnt/wslg/runtime-dir/wayland-0', true],
    ['wayland-1', true],
    ['/run/user/1000/gamescope-0', true],
    ['/run/user/1000/bus', false],
    ['/tmp/wayland-0/other', false],
    ['/tmp/X0', false],
    [null, false],
  ])('%s: %s', (name, is) => {
    expect(isDisplayName(name)).toBe(is);
  });

  const read = (world: SocketWorld, ...inodes: readonly string[]) =>
    new DisplayReader().read(7, filesOf(...inodes), world);

  test('by name, by the holder of the other end, and by its port; a result is kept', () => {
    const x = stream('91', { name: '/tmp/.X11-unix/X0', peer: { inode: '1' } });
    const world = worldOf(
      [
        stream('1', { peer: { inode: '91' } }),
        x,
        stream('2', { peer: { inode: '92' } }),
        stream('3', { peer: { inode: '93' } }),
      ],
      {
        compositorSockets: () => new Set(['92']),
      },
    );
    expect(read(world, '1', '2', '3')).toEqual([
      { at: '/tmp/.X11-unix/X0', peer: '91' },
      { at: 'a display', peer: '92' },
    ]);
    const forwarded = tableOf(
      line('0100007F:C350', '0100007F:177A', '5'),
      line('0100007F:177A', '0100007F:C350', '95'),
      line('0100007F:177A', '00000000:0000', '96', '0A'),
      line('0500000A:C351', '0700000A:1770', '6'),
      line('0100007F:C352', '0100007F:17B0', '7'),
    );
    expect(read(worldOf([], { network: () => forwarded }), '5', '6', '7', '95')).toEqual([
      { at: '127.0.0.1:6010', peer: '95' },
      { at: '10.0.0.7:6000', peer: null },
    ]);
    const reader = new DisplayReader();
    expect(reader.read(7, filesOf('1', '3'), world)).toHaveLength(1);
    expect(reader.read(7, filesOf('1', '3'), worldOf([]))).toHaveLength(1);
  });

  test('are possible if the other end is unknown and a display has clients', () => {
    const one = stream('1', { peer: 'unknown' });
    expect(read(worldOf([one], { displays: () => ['/tmp/.X11-unix/X0'] }), '1')).toEqual([
      { at: '/tmp/.X11-unix/X0', peer: null },
    ]);
    expect(read(worldOf([one]), '1')).toEqual([]);
    expect(read(worldOf([{ ...one, name: '/tmp/a' }], { displays: () => ['/tmp/.X11-unix/X0'] }), '1')).toEqual([]);
  });
});

describe('whether a job ran', () => {
  const processes = [
    { pid: 7, files: null },
    { pid: 8, files: [] },
  ];

  test('is told by the figures of all of its processes, whatever they hold', () => {
    expect(exchangeOf(processes, (pid) => `${pid}0`)).toEqual({ kind: 'measured', figure: '70 80' });
  });

  test('is unknown as soon as it is of one', () => {
    expect(exchangeOf(processes, (pid) => (pid === 8 ? null : 1))).toEqual({ kind: 'unknown' });
  });
});
