import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../app/diagnose/probe.ts';
import { addEstablished } from '../../../../main/os/linux/probe/connections.ts';
import { acceptedIn, peersIn, servedIn } from '../../../../main/os/linux/probe/serving.ts';

const line = (local: string, remote: string, inode: string): string =>
  `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;

/** 127.0.0.1:3000 with 127.0.0.1:5000, [::ffff:127.0.0.1]:3000 with 127.0.0.1:5001, 10.0.0.5:3000 with 10.0.0.7:5002, and one that goes out. */
const table = new Map<string, Connection>();
addEstablished(
  [
    'header',
    line('0100007F:0BB8', '0100007F:1388', '11'),
    line('0100007F:1388', '0100007F:0BB8', '21'),
    line('0000000000000000FFFF00000100007F:0BB8', '0000000000000000FFFF00000100007F:1389', '12'),
    line('0100007F:1389', '0100007F:0BB8', '22'),
    line('0500000A:0BB8', '0700000A:138A', '13'),
    line('0500000A:138B', '0700000A:01BB', '14'),
    line('0100007F:0BB8', '0100007F:138C', '15'),
  ].join('\n'),
  table,
);
const served = (...inodes: readonly string[]) => servedIn(table, new Set(inodes), new Set([3000]));

describe('connections to a port', () => {
  test('from this machine: with the socket at the other end, also where one end speaks IPv6', () => {
    expect(served('11', '12')).toEqual([
      { by: 'connection', at: 'port 3000', from: '127.0.0.1:5000', peer: '21' },
      { by: 'connection', at: 'port 3000', from: '127.0.0.1:5001', peer: '22' },
    ]);
  });

  test('from another machine', () => {
    expect(served('13')).toEqual([{ by: 'connection', at: 'port 3000', from: '10.0.0.7:5002', peer: null }]);
  });

  test('none is what goes out, whose other side is no longer there, or what others hold', () => {
    expect(served('14', '15', '21', '99')).toEqual([]);
  });
});

test('local sockets: those that a listener with a path has taken, listening and connecting ones left out', () => {
  const text = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 30 /tmp/a b.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 31 /tmp/a b.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 32',
    '0000000000000000: 00000003 00000000 00000000 0005 03 33 @abstract',
    '0000000000000000: 00000002 00000000 00000000 0002 01 34 /run/log',
  ].join('\n');
  expect([...acceptedIn(text)]).toEqual([
    ['31', '/tmp/a b.sock'],
    ['33', '@abstract'],
  ]);
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
});
