import type { KoffiMissing } from '../../native/koffi.ts';
import { Aside, type AsideOptions } from './aside.ts';
import { asideKernel } from './aside-kernel.ts';
import type { AsideCall } from './aside-thread.ts';
import { type DarwinKernel, mibs } from './kernel.ts';
import { systemLibrary } from './koffi-kernel.ts';
import { bindWindows, windowsRoom } from './windows.ts';

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
