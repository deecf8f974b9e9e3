import type { Handle } from '../kernel/kernel.ts';

export interface ProcessOrder {
  readonly file: string;
  readonly commandLine: string;
  /** It is born in this job. */
  readonly job: Handle;
  /** Its standard input, output and error: inheritable handles. */
  readonly standard: readonly [Handle, Handle, Handle];
  /** It gets a console of its own, without a window; else it shares ours. */
  readonly ownConsole: boolean;
}

export type ProcessStart =
  | { readonly ok: true; readonly pid: number; readonly process: Handle }
  | { readonly ok: false; readonly error: number };

/**
 * Everything that starting and holding a run asks of Windows, beside `WindowsKernel`. Narrow on
 * purpose: tests put a simulated kernel in its place.
 */
export interface StartKernel {
  /** CreateJobObjectW without a name, which only this process has a handle to; null: refused. */
  createJob(): Handle | null;
  /** SetInformationJobObject: these limit flags, `maxProcesses` with its number, no other. */
  limitJob(job: Handle, flags: number, processes?: number): boolean;
  /** QueryInformationJobObject: at most `size` bytes of an information class; null: refused. */
  job(job: Handle, informationClass: number, size: number): Buffer | null;
  /** TerminateJobObject: each of its processes ends with this status. */
  terminateJob(job: Handle, status: number): boolean;
  /** Returns an inheritable copy of a descriptor's handle; null where there is none. */
  inheritable(descriptor: number): Handle | null;
  /** CreateProcessW. */
  create(order: ProcessOrder): ProcessStart;
  /** Waits for its end outside of the event loop, at most `ms`. */
  ended(process: Handle, ms: number): Promise<'ended' | 'lives' | 'unknown'>;
  /** GetExitCodeProcess, as an unsigned number; null where it can't be told. */
  exitStatus(process: Handle): number | null;
  close(handle: Handle): void;
}

/** JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE (winnt.h). */
export const killOnClose = 0x2000;
/** JOB_OBJECT_LIMIT_ACTIVE_PROCESS: what would be one process too many is not started. */
export const maxProcesses = 0x8;

/** Information classes of a job, and where their fields lie on x64 and arm64 (winnt.h). */
export const jobClass = { accounting: 1, processes: 3, extendedLimits: 9 } as const;
/** JOBOBJECT_BASIC_ACCOUNTING_INFORMATION. */
export const accounting = { size: 48, total: 0x24, active: 0x28 } as const;
/** JOBOBJECT_BASIC_PROCESS_ID_LIST. */
export const processList = { assigned: 0, listed: 4, pids: 8 } as const;
/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION. */
export const extendedLimits = { size: 144, flags: 16, processes: 40 } as const;

/** Errors of CreateProcessW that are told apart (winerror.h). */
export const systemError = {
  fileNotFound: 2,
  pathNotFound: 3,
  accessDenied: 5,
  badFormat: 193,
  directory: 267,
  elevationRequired: 740,
} as const;
