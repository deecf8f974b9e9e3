import { darwinErrno, flavors, mibs, type DarwinKernel, type KernelAnswer, type KernelCall } from './kernel.ts';

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
