import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { loadKoffi } from '../../native/koffi.ts';

/** Equal on all architectures since 5.1: github.com/torvalds/linux, scripts/syscall.tbl */
const pidfdSendSignalCall = 424;
const pidfdOpenCall = 434;

/** Signals the group led by the process of the pidfd. Linux 6.9, include/uapi/linux/pidfd.h. */
const signalProcessGroup = 4;

/** Bits of poll(2): the process has ended; no such descriptor. */
const pollIn = 1;
const pollInvalid = 32;

/** Why a system call failed: an error number of `os.constants.errno`. */
export interface KernelRefusal {
  readonly errno: number;
}

/** The kernel's calls on pidfds. https://man7.org/linux/man-pages/man2/pidfd_open.2.html */
export interface Pidfds {
  /** Whole groups can be signalled through a pidfd. */
  readonly groups: boolean;
  /** Returns a descriptor for what has this pid now, valid until closed. Closed on exec. */
  open(pid: number): number | KernelRefusal;
  /** Sends a signal; 0 only checks. Returns null if it was sent. */
  send(pidfd: number, signal: number): KernelRefusal | null;
  /**
   * Sends to every process of the group whose id is the pid of this process, whichever process has
   * that number now. Returns null if it was sent to at least one.
   */
  sendToGroup(pidfd: number, signal: number): KernelRefusal | null;
  /** Returns whether the process and all its threads have ended, reaped or not. */
  hasEnded(pidfd: number): boolean;
  close(pidfd: number): void;
}

export interface NoPidfds {
  readonly reason: string;
}

/**
 * Returns whether the kernel knows the flag for groups: an older one answers EINVAL; a newer one
 * sends nothing (signal 0) to our own group, if we lead one.
 */
const knowsGroups = (pidfds: Omit<Pidfds, 'groups'>, own: number): boolean =>
  pidfds.sendToGroup(own, 0)?.errno !== constants.errno.EINVAL;

/**
 * Binds the system calls through koffi, or returns why it can't: no koffi, a kernel before 5.3, or
 * a sandbox that forbids the calls. Measured: 0.2 ms to load, 0.3 microseconds for a call.
 */
export const openPidfds = (): Pidfds | NoPidfds => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  const library = koffi.load(null);
  // Every argument is a long: the kernel takes whole registers and narrows them.
  const openCall = library.func('syscall', 'long', ['long', 'long', 'long']) as (...call: readonly number[]) => number;
  const sendCall = library.func('syscall', 'long', ['long', 'long', 'long', 'void *', 'long']) as (
    call: number,
    pidfd: number,
    signal: number,
    info: null,
    flags: number,
  ) => number;
  const poll = library.func('poll', 'int', ['void *', 'ulong', 'int']) as (
    fds: Uint8Array,
    count: number,
    timeoutMs: number,
  ) => number;
  // struct pollfd: int fd, short events, short revents, in the machine's byte order, as typed
  // arrays have it.
  const pollfd = new Uint8Array(8);
  const polledFd = new Int32Array(pollfd.buffer, 0, 1);
  const events = new Int16Array(pollfd.buffer, 4, 2);
  const send = (pidfd: number, signal: number, flags: number): KernelRefusal | null =>
    sendCall(pidfdSendSignalCall, pidfd, signal, null, flags) === 0 ? null : { errno: koffi.errno() };
  const pidfds: Omit<Pidfds, 'groups'> = {
    open: (pid) => {
      const pidfd = openCall(pidfdOpenCall, pid, 0);
      return pidfd >= 0 ? pidfd : { errno: koffi.errno() };
    },
    send: (pidfd, signal) => send(pidfd, signal, 0),
    sendToGroup: (pidfd, signal) => send(pidfd, signal, signalProcessGroup),
    hasEnded: (pidfd) => {
      polledFd[0] = pidfd;
      events[0] = pollIn;
      events[1] = 0;
      let ready = poll(pollfd, 1, 0);
      // SIGCHLD interrupts poll even with a timeout of 0: seen with `curfew run` as the parent of
      // many.
      while (ready < 0 && koffi.errno() === constants.errno.EINTR) ready = poll(pollfd, 1, 0);
      if (ready < 0 || ((events[1] ?? 0) & pollInvalid) !== 0)
        throw new Error(`A pidfd could not be polled (error number ${ready < 0 ? koffi.errno() : 'EBADF'}).`);
      return ready > 0;
    },
    close: (pidfd) => closeSync(pidfd),
  };
  const own = pidfds.open(process.pid);
  if (typeof own !== 'number') return { reason: `pidfd_open failed with error number ${own.errno}` };
  try {
    if (pidfds.send(own, 0) !== null) return { reason: 'pidfd_send_signal is not available' };
    return { ...pidfds, groups: knowsGroups(pidfds, own) };
  } finally {
    pidfds.close(own);
  }
};
