import { expect, test } from 'vitest';
import { unitsIn } from '../../../../main/os/linux/proc/stat.ts';
import { inodeOf, mountHidesProcesses } from '../../../../main/os/linux/proc/boot.ts';
import { uptimeTicks } from '../../../../main/os/linux/proc/clock.ts';
import { controlGroupsIn, holdsLock, ioBytesIn } from '../../../../main/os/linux/facts/member-facts.ts';
import { listeningPorts, networkRowsIn } from '../../../../main/os/linux/sockets/network-table.ts';
import { socketInode } from '../../../../main/os/linux/sockets/sockets.ts';
import { linkTarget } from '../../../../main/os/files/held-file.ts';

test('control groups of both kinds, with colons in a path', () => {
  const text = '9:name=systemd:/user.slice\n4:cpu,cpuacct:/a\n0::/user.slice/x:y.scope\n\ngarbage\n';
  expect(controlGroupsIn(text)).toEqual({
    'name=systemd': '/user.slice',
    'cpu,cpuacct': '/a',
    '': '/user.slice/x:y.scope',
  });
});

test('listening sockets of IPv4 and IPv6, by inode', () => {
  const rows = networkRowsIn(
    [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1078 1 000000003c4ebeea 100 0 0 10 0',
      '   1: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 1079 1 000000003c4ebeea 20 4 30 10 -1',
      '   2: 0100007F:D431 0100007F:0BB8 06 00000000:00000000 03:000017A0 00000000     0        0 0 3 000000003c4ebeea',
      '   3: nonsense',
      '',
    ].join('\n'),
    'tcp',
  );
  const rows6 = networkRowsIn(
    '  sl header\n   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2000 1 0 100 0 0 10 0',
    'tcp',
    '0A',
  );
  expect([...listeningPorts([...rows, ...rows6])]).toEqual([
    ['1078', 3000],
    ['2000', 8080],
  ]);
});

test.each([
  ['socket:[513449]', '513449'],
  ['pipe:[513449]', null],
  ['/tmp/socket:[1]', null],
])('the inode of socket %s', (target, inode) => {
  expect(socketInode(target)).toBe(inode);
});

test('a lock shows in fdinfo, other lines are not taken for one', () => {
  const head = 'pos:\t0\nflags:\t02100001\nmnt_id:\t27\nino:\t2155079\n';
  expect(holdsLock(`${head}lock:\t1: FLOCK  ADVISORY  WRITE 15005 fe:00:2155079 0 EOF\n`)).toBe(true);
  expect(holdsLock(`${head}lock:\t1: POSIX  ADVISORY  READ 15005 fe:00:2155079 0 10\n`)).toBe(true);
  expect(holdsLock(`${head}lock:\t1: LEASE  ACTIVE    READ 15005 fe:00:2155079 0 EOF\n`)).toBe(false);
  expect(holdsLock(`${head}inotify wd:1 ino:9 sdev:1 mask:fce\n`)).toBe(false);
});

test('bytes through system calls', () => {
  expect(ioBytesIn('rchar: 6976\nwchar: 24\nsyscr: 10\nread_bytes: 4096\n')).toBe(7000);
  expect(ioBytesIn('')).toBeNull();
});

const mount = (options: string): string =>
  `21 1 8:1 / / rw - ext4 /dev/sda1 rw\n24 21 0:22 / /proc rw,nosuid shared:5 - proc proc ${options}\n25 21 0:23 / /sys rw - sysfs sysfs rw\n`;

test.each([
  ['rw', false],
  ['rw,hidepid=0', false],
  ['rw,hidepid=off', false],
  ['rw,gid=100,hidepid=2', true],
  ['rw,hidepid=invisible', true],
  ['rw,hidepid=noaccess', true],
  ['rw,hidepid=4', true],
  ['rw,subset=pid', true],
])('/proc mounted with %s', (options, hides) => {
  expect(mountHidesProcesses(mount(options))).toBe(hides);
});

test('the uppermost of several mounts on /proc counts', () => {
  expect(mountHidesProcesses(mount('rw,hidepid=2') + mount('rw'))).toBe(false);
  expect(mountHidesProcesses(mount('rw') + mount('rw,hidepid=2'))).toBe(true);
});

test('uptime in ticks', () => {
  expect(uptimeTicks('350735.47 234388.90\n', 100)).toBe(35073547);
  expect(uptimeTicks('7.05 1.00\n', 100)).toBe(705);
  expect(uptimeTicks('', 100)).toBeNull();
});

test('the units of this kernel, from the auxiliary vector', () => {
  const entries = (list: readonly (readonly [bigint, bigint])[]): Buffer => {
    const bytes = Buffer.alloc(list.length * 16);
    list.forEach(([type, value], index) => {
      bytes.writeBigUInt64LE(type, index * 16);
      bytes.writeBigUInt64LE(value, index * 16 + 8);
    });
    return bytes;
  };
  const bytes = entries([
    [33n, 140_000_000n],
    [6n, 16_384n],
    [17n, 1_024n],
    [0n, 0n],
  ]);
  expect(unitsIn(bytes, true, true)).toEqual({ pageBytes: 16_384, ticksPerSecond: 1_024 });
  expect(unitsIn(bytes.subarray(0, 20), true, true)).toEqual({ pageBytes: 4_096, ticksPerSecond: 100 });
  expect(unitsIn(Buffer.from('0600000000100000', 'hex'), false, true)).toEqual({
    pageBytes: 4_096,
    ticksPerSecond: 100,
  });
});

test('inodes of namespaces', () => {
  expect(inodeOf('pid:[4026531836]')).toBe('4026531836');
  expect(inodeOf('/etc/passwd')).toBeNull();
});

test('the suffix of unlinked files is the kernel’s only for paths', () => {
  expect(linkTarget('/tmp/a (deleted)')).toEqual({ target: '/tmp/a', deleted: true });
  expect(linkTarget('/tmp/a')).toEqual({ target: '/tmp/a', deleted: false });
  expect(linkTarget('pipe:[12]')).toEqual({ target: 'pipe:[12]', deleted: false });
});
