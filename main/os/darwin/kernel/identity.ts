import { say } from '../../../../app/text/say.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { decode, type Decoded } from './decode.ts';
import { darwinErrno, flavors, type DarwinKernel, type KernelAnswer } from './kernel.ts';
import {
  auditTokenLayout,
  coalitionsLayout,
  taskLayout,
  uniqueIdsLayout,
  usageLayout,
  type Layout,
} from './layouts.ts';

/**
 * What the kernel never gives to another process: `uniqueId` stays over exec and is not used again
 * in a boot; `version` changes with every fork and exec; `parentUniqueId` is the parent's, and
 * survives that parent (since macOS 13 until the next exec).
 */
export interface UniqueIds {
  readonly uniqueId: number;
  readonly parentUniqueId: number;
  readonly version: number;
}

export interface Usage {
  /** Its own and that of the children that it waited for, mach ticks. */
  readonly cpuTicks: number;
  readonly footprintBytes: number;
  /** Mach ticks awake from the boot to its start, which an exec does not change (forkproc). */
  readonly startTicks: number;
}

/**
 * Returns what was decoded, 'gone' for a process that has ended (a zombie too), 'refused' for one
 * that may not be asked.
 * @throws ProcessTableUnreadable for anything else: then nothing may be concluded
 */
const known = <One extends Layout>(
  layout: One,
  { bytes, errno }: KernelAnswer,
  pid: number,
): Decoded<One> | 'gone' | 'refused' => {
  if (errno === darwinErrno.ESRCH) return 'gone';
  if (errno === darwinErrno.EPERM) return 'refused';
  const fields = errno === 0 ? decode(layout, bytes) : null;
  if (fields === null)
    throw new ProcessTableUnreadable(
      say("The kernel's answer about process {pid} has another form ({bytes} bytes, error {errno}).", {
        pid,
        bytes: bytes.length,
        errno,
      }),
    );
  return fields;
};

/**
 * Returns the unique ids of a living process of any user; 'gone' once it has ended, and 'refused'
 * where they may not be asked: the kernel tells them to each caller, but a security program can
 * forbid it.
 * @throws ProcessTableUnreadable
 */
export const askUniqueIds = (kernel: DarwinKernel, pid: number): UniqueIds | 'gone' | 'refused' => {
  const ids = known(uniqueIdsLayout, kernel.call('info', pid, flavors.uniqueIds, 0, uniqueIdsLayout.size), pid);
  if (typeof ids !== 'string' && ids.uniqueId === 0)
    throw new ProcessTableUnreadable(say('The kernel does not identify process {pid}.', { pid }));
  return ids;
};

/**
 * The same where they are needed; null once it has ended.
 * @throws ProcessTableUnreadable also where they are refused
 */
export const readUniqueIds = (kernel: DarwinKernel, pid: number): UniqueIds | null => {
  const ids = askUniqueIds(kernel, pid);
  if (ids === 'refused') throw new ProcessTableUnreadable(say('The kernel does not identify process {pid}.', { pid }));
  return ids === 'gone' ? null : ids;
};

/**
 * Returns the resource coalition of a process, or null where it is not told. launchd gives each app
 * and each of its jobs one, and only launchd can.
 */
export const readCoalition = (kernel: DarwinKernel, pid: number): number | null => {
  const { bytes, errno } = kernel.call('info', pid, flavors.coalitions, 0, coalitionsLayout.size);
  const fields = errno === 0 ? decode(coalitionsLayout, bytes) : null;
  return fields === null || fields.resource === 0 ? null : fields.resource;
};

/** Returns CPU time, memory and start; null where they are refused or have another form. */
export const readUsage = (kernel: DarwinKernel, pid: number): Usage | null => {
  const { bytes, errno } = kernel.call('usage', pid, flavors.usageV4, 0, usageLayout.size);
  const fields = errno === 0 ? decode(usageLayout, bytes) : null;
  if (fields === null) return null;
  return {
    cpuTicks: fields.userTicks + fields.systemTicks + fields.childrenUserTicks + fields.childrenSystemTicks,
    footprintBytes: fields.footprint,
    startTicks: fields.startTicks,
  };
};

/**
 * What a process has done so far: its system calls, how often it gave up a processor or was taken
 * from it, pages that it touched first, mach ticks. None of them falls.
 */
export interface Work {
  readonly unixCalls: number;
  readonly machCalls: number;
  readonly switches: number;
  readonly faults: number;
  readonly ticks: number;
}

/** Where a counter of 32 bits stops (fill_taskprocinfo of xnu-11417). */
const lastCount = 0x7fffffff;

/** Returns what a process did so far; null where refused, malformed, or more than is counted. */
export const readWork = (kernel: DarwinKernel, pid: number): Work | null => {
  const { bytes, errno } = kernel.call('info', pid, flavors.task, 0, taskLayout.size);
  const fields = errno === 0 ? decode(taskLayout, bytes) : null;
  if (fields === null) return null;
  const { unixCalls, machCalls, switches, faults, userTicks, systemTicks } = fields;
  const isCounted = [unixCalls, machCalls, switches, faults].every((one) => one >= 0 && one < lastCount);
  return isCounted ? { unixCalls, machCalls, switches, faults, ticks: userTicks + systemTicks } : null;
};

/** Returns the kernel session of a process; null where it is not told. */
export const readSession = (kernel: DarwinKernel, pid: number): number | null => {
  const { bytes, errno } = kernel.call('session', pid, 0, 0, 4);
  const session = errno === 0 && bytes.length === 4 ? bytes.readInt32LE(0) : 0;
  return session > 0 ? session : null;
};

/** CS_RESTRICT (sys/codesign.h): the system's own programs, of which SIP hides the environment. */
const restricted = 0x800;

/** Returns true for a program whose environment the system hides; null where it is not told. */
export const isRestricted = (kernel: DarwinKernel, pid: number): boolean | null => {
  const { bytes, errno } = kernel.call('signature', pid, 0, 0, 4);
  return errno === 0 && bytes.length === 4 ? (bytes.readUInt32LE(0) & restricted) !== 0 : null;
};

/**
 * Returns the audit token by which a signal reaches this version of this process and no other: the
 * kernel refuses it once the process has ended or called exec (psignal_by_audit_token).
 */
export const auditTokenOf = (pid: number, version: number): Buffer => {
  const token = Buffer.alloc(auditTokenLayout.size);
  token.writeUInt32LE(pid, auditTokenLayout.pid);
  token.writeUInt32LE(version, auditTokenLayout.version);
  return token;
};
