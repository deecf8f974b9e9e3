import type { KoffiMissing } from '../../native/koffi.ts';
import { Aside, type AsideOptions } from './aside.ts';
import type { AsideCall } from './aside-thread.ts';
import { type DarwinKernel, mibs, darwinErrno, flavors, type KernelAnswer, type KernelCall } from './kernel.ts';
import { systemLibrary } from './koffi-kernel.ts';
import { bindWindows, windowsRoom } from './windows.ts';

/** Calls that may never return, made where that holds nothing up. */
export interface AsideCalls {
  /** Null: there is no answer yet, and nothing is known. */
  readonly ask: (name: FileCall, pid: number, flavor: number, arg: number, size: number) => KernelAnswer | null;
  /** The table of all processes. Null: the same. */
  readonly table: (size: number) => KernelAnswer | null;
  /** The owners of windows. Null: the same. */
  readonly windows: (size: number) => KernelAnswer | null;
  /** Processes about which a call has not returned. */
  readonly unanswered: () => readonly number[];
}

/** The calls among which are such that ask a file system. */
export type FileCall = Extract<KernelCall, 'info' | 'file' | 'path'>;

/**
 * Returns the name of a call that asks a file system: of an open file, of a working folder, of a
 * program's file. The first two read attributes (fill_vnodeinfo of xnu-11417), which never come
 * from a network volume that is gone. Null for what is the kernel's own: sockets, pipes, ids, rows.
 */
const fileCall = (name: KernelCall, flavor: number): FileCall | null => {
  if (name === 'path') return name;
  return (name === 'file' && flavor === flavors.file) || (name === 'info' && flavor === flavors.cwd) ? name : null;
};

const noAnswer: KernelAnswer = { bytes: Buffer.alloc(0), errno: darwinErrno.ETIMEDOUT };

/** True for the call that goes through all processes, and waits for each that is inside exec. */
const isTable = (name: readonly number[] | string): boolean =>
  typeof name !== 'string' && name.length === 3 && name.every((one, at) => one === mibs.allProcesses[at]);

/**
 * Returns the same kernel, of which no call about files can hold up Curfew. A call without an
 * answer counts as refused: what it would have told is unknown.
 *
 * Of the calls that wait for a process inside exec only that for the table is made aside. It comes
 * first in each look, and where it does not return there is no look, so none of the others is made.
 * Those are too many for threads: one for each process at each look.
 */
export const asideKernel = (kernel: DarwinKernel, aside: AsideCalls): DarwinKernel => ({
  call: (name, pid, flavor, arg, size) => {
    const asked = fileCall(name, flavor);
    return asked === null
      ? kernel.call(name, pid, flavor, arg, size)
      : (aside.ask(asked, pid, flavor, arg, size) ?? noAnswer);
  },
  sysctl: (name, size) => (isTable(name) ? (aside.table(size) ?? noAnswer) : kernel.sysctl(name, size)),
  windows: (size) => aside.windows(size) ?? noAnswer,
  upSeconds: () => kernel.upSeconds(),
  signalByToken: kernel.signalByToken,
  unanswered: aside.unanswered,
});

/** See `KernelCall`, and libproc.h and sysctl(3) for what each takes. */
const calls = {
  info: { symbol: 'proc_pidinfo', takes: ['pid', 'flavor', 'wideArg', 'room', 'size'] },
  file: { symbol: 'proc_pidfdinfo', takes: ['pid', 'arg', 'flavor', 'room', 'size'] },
  path: { symbol: 'proc_pidpath', takes: ['pid', 'room', 'size'] },
  table: {
    symbol: 'sysctl',
    takes: ['mib', 'mibLength', 'room', 'length', 'nothing', 'none'],
    mib: mibs.allProcesses,
  },
} as const satisfies Readonly<Record<string, AsideCall>>;

const fileCalls = ['info', 'file', 'path'] as const;

/** Bytes that an answer about a file may have: a path of proc_pidpath. */
const fileRoom = 4_096;
/** And of the table: 12,000 processes, more than a Mac has. */
const tableRoom = 8 * 1_048_576;
/** As long as a look may take, see `NativeSource`. */
const tableMs = 2_000;

/** The window server answers in milliseconds; where none runs it may never. */
const windowsMs = 500;

/** Opens threads with the first question; null where they can't make the calls. */
const late = (options: AsideOptions): (() => Aside | null) => {
  let opened: Aside | null | undefined;
  return () => (opened === undefined ? (opened = Aside.open(options)) : opened);
};

/**
 * Returns the kernel with the calls that may never return in threads of their own, which begin with
 * the first such call. Where they can't, it is the kernel as it was: then each call is waited for.
 * The table has a thread for itself, so that files which are never told don't hide all processes.
 */
export const withCallsAside = (kernel: DarwinKernel | KoffiMissing): DarwinKernel | KoffiMissing => {
  if ('reason' in kernel) return kernel;
  const library = systemLibrary;
  const files = late({ library, calls: fileCalls.map((one) => calls[one]), room: fileRoom });
  const table = late({ library, calls: [calls.table], room: tableRoom });
  const windows = late({ library, calls: [], room: windowsRoom, own: bindWindows });
  let asked = false;
  return asideKernel(kernel, {
    ask: (name, pid, flavor, arg, size) => {
      asked = true;
      const threads = files();
      if (threads === null) return kernel.call(name, pid, flavor, arg, size);
      return threads.ask({ call: fileCalls.indexOf(name), pid, flavor, arg, size });
    },
    table: (size) => {
      const thread = size > tableRoom ? null : table();
      if (thread === null) return kernel.sysctl(mibs.allProcesses, size);
      return thread.ask({ call: 0, pid: null, flavor: 0, arg: 0, size }, tableMs);
    },
    windows: (size) => {
      const thread = windows();
      if (thread === null) return kernel.windows(size);
      return thread.ask({ call: 0, pid: null, flavor: 0, arg: 0, size }, windowsMs);
    },
    unanswered: () => (asked ? (files()?.unanswered ?? []) : []),
  });
};
