import { loadKoffi } from '../../native/koffi.ts';
import type { MarkerNames } from '../../processes/environ.ts';
import { argumentAreaBytes, processArgumentsIn, type ProcessArguments } from '../kernel/arguments.ts';
import { mibs, type DarwinKernel } from '../kernel/kernel.ts';

/** Reads arguments and environment of a process of the same user; null when the kernel refuses. */
export type ReadProcessArguments = (pid: number) => ProcessArguments | null;

/** What only a system call reports; null where it can't be made, or is not believed. */
export interface DarwinCalls {
  readonly readArguments: ReadProcessArguments | null;
  /** Returns the kernel session of a process, or null. */
  readonly sessionOf: ((pid: number) => number | null) | null;
}

/** Returns how arguments are read through the kernel. */
export const argumentReader =
  (kernel: DarwinKernel, names: MarkerNames): ReadProcessArguments =>
  (pid) => {
    const { bytes, errno } = kernel.sysctl(mibs.arguments(pid), argumentAreaBytes);
    return errno === 0 ? processArgumentsIn(bytes, names) : null;
  };

/** Returns getsid(2) of any Unix through koffi, or null. */
export const openSessionOf = (): DarwinCalls['sessionOf'] => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return null;
  const getsid = koffi.load(null).func('getsid', 'int', ['int']) as (pid: number) => number;
  return (pid) => {
    const session = getsid(pid);
    return session >= 0 ? session : null;
  };
};
