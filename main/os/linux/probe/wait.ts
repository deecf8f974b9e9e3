import type { Wait } from '../../../../app/diagnose/probe.ts';

/**
 * Numbers of system calls: arch/x86/entry/syscalls/syscall_64.tbl, and scripts/syscall.tbl for
 * arm64.
 */
interface Calls {
  readonly read: readonly number[];
  readonly open: readonly number[];
  readonly flock: number;
  readonly fcntl: number;
  readonly sleep: readonly number[];
  readonly child: readonly number[];
}

const calls: Readonly<Partial<Record<NodeJS.Architecture, Calls>>> = {
  x64: { read: [0, 19], open: [2, 257], flock: 73, fcntl: 72, sleep: [35, 230], child: [61, 247] },
  arm64: { read: [63, 65], open: [56], flock: 32, fcntl: 25, sleep: [101, 115], child: [260, 95] },
};

/**
 * F_SETLKW and F_OFD_SETLKW: the two commands of fcntl that wait.
 * https://man7.org/linux/man-pages/man2/F_GETLK.2const.html
 */
const waitingCommands = [7, 38];

/**
 * Kernel functions in which processes sleep, as /proc/PID/wchan names them; seen on 5.10 to 6.18.
 */
const places: readonly (readonly [RegExp, Wait])[] = [
  [/pipe_(?:read|wait)/u, { kind: 'read', fd: null }],
  [/^(?:fifo_open|wait_for_partner)/u, { kind: 'open' }],
  [/^(?:locks_lock_inode_wait|flock_lock_inode_wait|posix_lock_inode_wait|fcntl_setlk)/u, { kind: 'lock', fd: null }],
  [/nanosleep/u, { kind: 'sleep' }],
  [/^do_wait/u, { kind: 'child' }],
];

const byPlace = (place: string | null): Wait | null =>
  place === null ? null : (places.find(([name]) => name.test(place))?.[1] ?? { kind: 'other' });

/**
 * Returns what a process waits for, from /proc/PID/syscall (the number of the system call and its
 * arguments in hexadecimal, `running` for none) and /proc/PID/wchan. Reading the first needs ptrace
 * rights, which Yama grants only over descendants; the second gives the kind of a wait, but never
 * the file. https://man7.org/linux/man-pages/man5/proc_pid_syscall.5.html
 * @returns null if neither says anything
 */
export const waitIn = (
  syscall: string | null,
  place: string | null,
  architecture: NodeJS.Architecture,
): Wait | null => {
  const [, call, first, second] = /^(\d+) 0x([0-9a-f]+) 0x([0-9a-f]+) /u.exec(syscall ?? '') ?? [];
  const known = calls[architecture];
  if (call === undefined || first === undefined || known === undefined) return byPlace(place);
  const number = Number(call);
  // A descriptor is an int, whatever the upper half of the register holds.
  const fd = Number.parseInt(first.slice(-8), 16);
  if (known.read.includes(number)) return { kind: 'read', fd };
  if (number === known.flock) return { kind: 'lock', fd };
  if (number === known.fcntl && waitingCommands.includes(Number.parseInt(second ?? '', 16)))
    return { kind: 'lock', fd };
  if (known.sleep.includes(number)) return { kind: 'sleep' };
  if (known.child.includes(number)) return { kind: 'child' };
  // Files, devices and network file systems can be slow to open; only wchan shows that it is a
  // named pipe.
  if (known.open.includes(number)) return byPlace(place)?.kind === 'open' ? { kind: 'open' } : { kind: 'other' };
  return { kind: 'other' };
};
