import { accessIn } from '../../../main/os/linux/proc/open-files.ts';
import {
  descriptorLimitIn,
  lockHoldersIn,
  minorFaultsIn,
  waitIn,
} from '../../../main/os/linux/probe/process-probes.ts';
import { pressureIn } from '../../../main/os/linux/probe/probing.ts';
import { StatFields, readStat, unitsIn } from '../../../main/os/linux/proc/stat.ts';
import { boundNamesIn } from '../../../main/os/linux/sockets/bound-sockets.ts';
import { unifiedFolder } from '../../../main/os/containment/control-group.ts';
import { uptimeTicks } from '../../../main/os/linux/proc/clock.ts';
import { argumentsOf } from '../../../main/os/linux/proc/command-texts.ts';
import { blockedReadingIn, controlGroupsIn, holdsLock, ioBytesIn } from '../../../main/os/linux/facts/member-facts.ts';
import { oomVictimIn } from '../../../main/os/linux/proc/oom.ts';
import { tcpSocketIn } from '../../../main/os/linux/sock-diag/inet.ts';
import { attributesIn, batchIn } from '../../../main/os/linux/sock-diag/messages.ts';
import { unixSocketIn } from '../../../main/os/linux/sock-diag/unix.ts';
import { lastInodesIn } from '../../../main/os/linux/sockets/local-world.ts';
import { listeningPorts, networkRowsIn, networkTable } from '../../../main/os/linux/sockets/network-table.ts';
import { localSocketsIn, peersIn } from '../../../main/os/linux/sockets/unix-table.ts';
import { mountHidesProcesses } from '../../../main/os/linux/proc/boot.ts';
import { socketInode } from '../../../main/os/linux/sockets/sockets.ts';
import { isOwnTemporaryMount } from '../../../main/os/linux/proc/unseen-users.ts';
import { markerNames, markersIn } from '../../../main/os/processes/environ.ts';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { neverThrowsOrHangs } from './mutations.ts';

/** Texts of Linux 6.18 as the kernel writes them. */
const stat =
  '77 (a) R 1 (b) S 1 77 77 34816 -1 4194304 500 20 3 0 5 2 0 0 20 0 1 0 350735 9625600 900 18446744073709551615 1 2 140721 0 0 0 0 0 65536 1 0 0 17 1 0 0 0 0 0 94 95 96 97 98 99 0\n';
const tcp =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n' +
  '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 513449 1 0000000000000000 100 0 0 10 0\n' +
  '   1: 0100007F:A3C2 0100007F:0BB8 01 0000000A:00000000 02:000A7A1C 00000000  1000        0 513450 2 0000000000000000 20 4 0 10 -1\n';
const tcp6 =
  '  sl  local_address remote_address st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode\n' +
  '   0: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000001000000:C001 01 00000000:00000000 00:00000000 00000000 0 0 99 1\n';
const locks =
  '1: FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 360 00:13:11691 0 EOF\n2: POSIX  ADVISORY  READ  5433 08:01:7864448 128 128\n3: OFDLCK ADVISORY  WRITE -1 08:01:8713209 0 EOF\n';
const mounts =
  '24 31 0:22 / /proc rw,nosuid - proc proc rw,hidepid=invisible\n36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw\n40 31 0:30 / /tmp rw - tmpfs tmpfs rw\n30 31 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n';
const cgroup =
  '12:memory:/user.slice\n1:name=systemd:/user.slice/a:b\n0::/user.slice/user-1000.slice/session-2.scope\n';

/** An accepted local socket, then the end of a dump. */
const netlink = Buffer.from(
  '4000000014000200010000000000000001010100' +
    '1b670100b00400000000000008000200' +
    '1a6701000900000064622f780000000005000600000000001400000003000200010000000000000000000000',
  'hex',
).toString('latin1');

const fields = new StatFields();
neverThrowsOrHangs('/proc/PID/stat', [stat], (bytes) => [
  readStat(bytes, bytes.length, fields),
  readStat(bytes, bytes.length + 10, fields),
  minorFaultsIn(bytes.toString('latin1')),
]);
neverThrowsOrHangs(
  '/proc/PID/cmdline',
  ['bash\0-c\0sleep 1\0', 'postgres: writer\0\0\0\0', 'nginx: master   \0'],
  (bytes) => [argumentsOf(bytes.toString('utf8'), false), argumentsOf(bytes.toString('utf8'), true)],
);
const names = markerNames(environmentNames);
neverThrowsOrHangs(
  '/proc/PID/environ',
  ['PATH=/bin\0CLAUDECODE=1\0CLAUDE_PID=23\0CODEX_CI=1\0', 'CURFEW_KEEP=1'],
  (bytes) => [
    markersIn(bytes, 0, bytes.length, names, true),
    markersIn(bytes, Math.min(1, bytes.length), bytes.length, names, false),
  ],
);
neverThrowsOrHangs('tables of sockets', [tcp, tcp6], (bytes) =>
  listeningPorts(networkRowsIn(bytes.toString('utf8'), 'tcp')),
);
neverThrowsOrHangs('messages of netlink', [netlink], (bytes) => {
  const batch = batchIn(bytes, 1);
  if (batch.kind === 'messages') return batch.payloads.map((one) => [unixSocketIn(one), tcpSocketIn(one)]);
  return [unixSocketIn(bytes), tcpSocketIn(bytes), attributesIn(bytes, 16)];
});
neverThrowsOrHangs(
  'what ss and /proc/net/unix print',
  [
    'u_str ESTAB 0      768    /tmp/a b.sock 20283737 * 20283736  \n',
    '0000000000000000: 00000003 00000000 00000000 0001 03 31 /tmp/a b.sock\n',
    'sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n00000000abc 0 12 00000000 0 0 0 2 0 4711\n',
  ],
  (bytes) => {
    const text = bytes.toString('latin1');
    return [peersIn(text), localSocketsIn(text), lastInodesIn(text), networkTable(networkRowsIn(text, 'tcp'), true)];
  },
);
neverThrowsOrHangs(
  'the table of sockets with names',
  [
    'Num RefCount Protocol Flags Type St Inode Path\n0000000000000000: 00000002 00000000 00010000 0001 01 21532 /run/user/1000/bus\n',
  ],
  (bytes) => boundNamesIn(bytes.toString('utf8')),
);
neverThrowsOrHangs(
  'locks',
  [locks, 'pos:\t0\nflags:\t02100001\nlock:\t1: FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF\n'],
  (bytes) => [
    lockHoldersIn(bytes.toString('utf8')),
    holdsLock(bytes.toString('utf8')),
    accessIn(bytes.toString('utf8')),
  ],
);
neverThrowsOrHangs('mounts and control groups', [mounts, cgroup], (bytes) => {
  const text = bytes.toString('utf8');
  return [
    mountHidesProcesses(text),
    isOwnTemporaryMount(text, '/tmp/x'),
    controlGroupsIn(text),
    unifiedFolder(text, cgroup),
    unifiedFolder(mounts, text),
  ];
});
neverThrowsOrHangs(
  'small files of the kernel',
  [
    'rchar: 323934931\nwchar: 323929600\nsyscr: 632687\n',
    '0 0x3 0x7ffd 0x400 0x0 0x0 0x0 0x7ffd 0x7f1\n',
    '350735.47 234388.90\n',
    'Limit Soft Limit Hard Limit Units\nMax open files            1024                 4096                 files\n',
    'some avg10=0.00 avg60=1.25 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
    '6,1234,567890,-;Out of memory: Killed process 4711 (node) total-vm:1kB\n',
    'socket:[513449]',
  ],
  (bytes) => {
    const text = bytes.toString('utf8');
    return [
      ioBytesIn(text),
      blockedReadingIn(text, 'x64'),
      waitIn(text, text, 'arm64'),
      uptimeTicks(text, 100),
      descriptorLimitIn(text),
      pressureIn(text),
      oomVictimIn(text),
      socketInode(text),
    ];
  },
);
neverThrowsOrHangs('the auxiliary vector', [Buffer.from('06000000000000000010000000000000', 'hex')], (bytes) => [
  unitsIn(bytes, true, true),
  unitsIn(bytes, false, false),
]);
