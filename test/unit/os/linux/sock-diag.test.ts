import { describe, expect, test } from 'vitest';
import { noInode, tcpRequest, tcpSocketIn, tcpStates } from '../../../../main/os/linux/sock-diag/inet.ts';
import { askAll, attributesIn, batchIn, byFamily, question } from '../../../../main/os/linux/sock-diag/messages.ts';
import { unixRequest, unixSocketIn } from '../../../../main/os/linux/sock-diag/unix.ts';

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(/\s/gu, ''), 'hex'));

const message = (type: number, payload: Uint8Array, flags = 0, sequence = 1): Uint8Array => {
  const bytes = question(payload, sequence, flags);
  new DataView(bytes.buffer).setUint16(4, type, true);
  return bytes;
};
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/**
 * Answer of Linux 6.18 about a socket that `/tmp/db` accepted: type 1, state 1, inode 91931, name,
 * peer 91930, shutdown 0.
 */
const accepted = bytesOf(
  `01 01 01 00 1b670100 b0040000 00000000
   0d00 0000 2f746d702f646200 00000000
   0800 0200 1a670100
   0500 0600 00000000`,
);

describe('netlink', () => {
  test('a datagram of several messages, and the end of a dump', () => {
    const both = batchIn(joined(message(byFamily, accepted), message(byFamily, accepted)), 1);
    expect(both).toMatchObject({ kind: 'messages', isLast: false, interrupted: false });
    expect(both.kind === 'messages' ? both.payloads.length : 0).toBe(2);
    expect(batchIn(message(3, new Uint8Array(4)), 1)).toMatchObject({ kind: 'messages', isLast: true });
  });

  test('a table that changed meanwhile is reported', () => {
    expect(batchIn(message(byFamily, accepted, 0x10), 1)).toMatchObject({ interrupted: true });
    expect(batchIn(message(3, new Uint8Array(4), 0x10), 1)).toMatchObject({ interrupted: true, isLast: true });
  });

  test('a refusal carries its error number', () => {
    const missing = new Uint8Array(20);
    new DataView(missing.buffer).setInt32(0, -2, true);
    expect(batchIn(message(2, missing), 1)).toEqual({ kind: 'refused', errno: 2 });
  });

  test.each([
    ['cut off in the header', message(byFamily, accepted).subarray(0, 10)],
    ['cut off in the message', message(byFamily, accepted).subarray(0, 40)],
    ['to another question', message(byFamily, accepted, 0, 2)],
    ['of an overrun', message(4, new Uint8Array(4))],
    ['an error without a number', message(2, new Uint8Array(2))],
    ['a length of nothing', new Uint8Array(16)],
  ])('is malformed: %s', (_what, bytes) => {
    expect(batchIn(bytes, 1)).toEqual({ kind: 'malformed' });
  });

  test('attributes that reach beyond the message are none', () => {
    expect(attributesIn(accepted, 16)?.size).toBe(3);
    expect(attributesIn(accepted.subarray(0, 26), 16)).toBeNull();
    expect(attributesIn(bytesOf('0200 0000'), 0)).toBeNull();
    expect(attributesIn(new Uint8Array(4), 16)).toBeNull();
  });
});

describe('local sockets', () => {
  test('an accepted one: its other end and its path', () => {
    expect(unixSocketIn(accepted)).toEqual({
      inode: '91931',
      type: 'stream',
      listens: false,
      connected: true,
      name: '/tmp/db',
      peer: { inode: '91930' },
      waiting: [],
    });
  });

  test('one whose other end was closed, and one that nothing has accepted yet', () => {
    const pair = (shutdown: string) =>
      bytesOf(`01010100 1b670100 00000000 00000000 08000200 00000000 05000600 ${shutdown}`);
    expect(unixSocketIn(pair('03000000'))?.peer).toBe('closed');
    expect(unixSocketIn(pair('00000000'))?.peer).toBe('none');
  });

  test('a listener names waiting sockets without closed ones; an abstract name begins with @', () => {
    const listener = bytesOf(
      '01010a00 05000000 00000000 00000000 0900 0000 0064622f78 000000 0c00 0300 07000000 00000000',
    );
    expect(unixSocketIn(listener)).toMatchObject({ listens: true, connected: false, name: '@db/x', waiting: ['7'] });
  });

  test.each([
    ['too short', accepted.subarray(0, 12)],
    ['of another family', joined(new Uint8Array([2]), accepted.subarray(1))],
    ['of an unknown type', joined(new Uint8Array([1, 9]), accepted.subarray(2))],
    ['with a peer of two bytes', bytesOf('01010100 1b670100 00000000 00000000 06000200 0100 0000')],
    ['with attributes cut off', accepted.subarray(0, accepted.length - 20)],
  ])('is none: %s', (_what, bytes) => {
    expect(unixSocketIn(bytes)).toBeNull();
  });

  test('the question has the form of unix_diag_req', () => {
    expect(Buffer.from(question(unixRequest(7), 1, askAll)).toString('hex')).toBe(
      '2800000014000103010000000000000001000000ffffffff070000000d000000ffffffffffffffff',
    );
  });
});

describe('TCP sockets', () => {
  const socket = (family: number, local: string, remote: string, inode: string): Uint8Array =>
    bytesOf(
      `${family === 4 ? '02' : '0a'} 01 02 00 1f90 d431 ${local.padEnd(32, '0')} ${remote.padEnd(32, '0')}
       00000000 0000000000000000 00000000 05000000 07000000 00000000 ${inode}`,
    );

  test('one over IPv4: its ends, its queues, and that it is kept alive', () => {
    expect(tcpSocketIn(socket(4, '7f000001', '0a000007', '67120000'))).toEqual({
      inode: '4711',
      state: 1,
      local: '127.0.0.1:8080',
      remote: '10.0.0.7:54321',
      keptAlive: true,
      timerMs: 0,
      unreadBytes: 5,
      unacknowledgedBytes: 7,
    });
  });

  test('one over IPv6, with an address of IPv4 in it', () => {
    const mapped = `${'00'.repeat(10)}ffff7f000001`;
    const read = tcpSocketIn(socket(6, mapped, `${'00'.repeat(15)}01`, '00000000'));
    expect(read).toMatchObject({ local: '127.0.0.1:8080', remote: '[::1]:54321', inode: noInode });
  });

  test('none of another family, and none that is cut off', () => {
    const whole = socket(4, '7f000001', '0a000007', '67120000');
    expect(tcpSocketIn(whole.subarray(0, 71))).toBeNull();
    expect(tcpSocketIn(new Uint8Array(0))).toBeNull();
    expect(tcpSocketIn(Uint8Array.from(whole, (byte, index) => (index === 0 ? 1 : byte)))).toBeNull();
  });

  test('are asked for by their states, those of requests that are not accepted among them', () => {
    const asked = tcpRequest(4, 'all');
    const bits = new DataView(asked.buffer).getUint32(4, true);
    expect([asked[2], bits]).toEqual([0, 0b1_1111_1111_1110]);
    expect(tcpStates.listening).toBe(1 << 10);
  });
});
