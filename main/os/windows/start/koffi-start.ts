import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { messageOf } from '../../../../app/format/error-message.ts';
import { loadKoffi, type KoffiMissing } from '../../native/koffi.ts';
import { extendedLimits, jobClass, type ProcessOrder, type ProcessStart, type StartKernel } from './start-kernel.ts';

type Native = (...args: readonly unknown[]) => number;

const ownProcess = -1;
const noHandle = -1;
const duplicateSameAccess = 2;
const ended = 0;
const timedOut = 0x102;

/** Flags of CreateProcessW (processthreadsapi.h). */
const createFlag = {
  suspended: 0x4,
  unicodeEnvironment: 0x400,
  extendedStartup: 0x80000,
  noWindow: 0x8000000,
} as const;

/** STARTUPINFOEXW; STARTF_USESTDHANDLES. */
const startup = { size: 112, flags: 60, input: 80, output: 88, error: 96, attributes: 104 } as const;
const useHandles = 0x100;
/** PROCESS_INFORMATION. */
const started = { size: 24, process: 0, thread: 8, pid: 16 } as const;
/** PROC_THREAD_ATTRIBUTE_HANDLE_LIST and PROC_THREAD_ATTRIBUTE_JOB_LIST. */
const handleList = 0x20002;
const jobList = 0x2000d;
const attributeBytes = 256;

const handlesIn = (handles: readonly number[]): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(handles.length * 8);
  handles.forEach((handle, index) => bytes.writeBigInt64LE(BigInt(handle), index * 8));
  return bytes;
};

/** Binds calls that start processes and hold them in jobs, or says why not. Only seen in Wine 8. */
export const openKoffiStart = (): StartKernel | KoffiMissing => {
  if (process.platform !== 'win32') return { reason: 'only used on Windows' };
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  try {
    const library = koffi.load('kernel32.dll');
    const bind = (result: string, name: string, ...parameters: readonly unknown[]) =>
      library.func('__stdcall', name, result, parameters as never);
    const call = (result: string, name: string, ...parameters: readonly unknown[]): Native =>
      bind(result, name, ...parameters) as Native;
    const out32 = koffi.out(koffi.pointer('uint32'));
    const outHandle = koffi.out(koffi.pointer('int64'));
    const inoutSize = koffi.inout(koffi.pointer('uint64'));
    const createJob = call('int64', 'CreateJobObjectW', 'void *', 'void *');
    const limitJob = call('int', 'SetInformationJobObject', 'int64', 'int32', 'void *', 'uint32');
    const queryJob = call('int', 'QueryInformationJobObject', 'int64', 'int32', 'void *', 'uint32', out32);
    const terminateJob = call('int', 'TerminateJobObject', 'int64', 'uint32');
    const assign = call('int', 'AssignProcessToJobObject', 'int64', 'int64');
    const duplicate = call('int', 'DuplicateHandle', 'int64', 'int64', 'int64', outHandle, 'uint32', 'int', 'uint32');
    const beginAttributes = call('int', 'InitializeProcThreadAttributeList', 'void *', 'uint32', 'uint32', inoutSize);
    const addAttribute = call(
      'int',
      'UpdateProcThreadAttribute',
      'void *',
      'uint32',
      'uint64',
      'void *',
      'uint64',
      'void *',
      'void *',
    );
    const endAttributes = call('void', 'DeleteProcThreadAttributeList', 'void *');
    const create = call(
      'int',
      'CreateProcessW',
      'str16',
      'void *',
      'void *',
      'void *',
      'int',
      'uint32',
      'void *',
      'void *',
      'void *',
      'void *',
    );
    const resume = call('uint32', 'ResumeThread', 'int64');
    const terminate = call('int', 'TerminateProcess', 'int64', 'uint32');
    const waitFor = bind('uint32', 'WaitForSingleObject', 'int64', 'uint32');
    const exitStatus = call('int', 'GetExitCodeProcess', 'int64', out32);
    const hearKeys = call('int', 'SetConsoleCtrlHandler', 'void *', 'int');
    const lastError = call('uint32', 'GetLastError');
    const close = call('int', 'CloseHandle', 'int64');
    // Node's descriptors are its own runtime's; node.exe exports libuv.
    const handleOf = koffi.load(process.execPath).func('int64 uv_get_osfhandle(int)') as Native;

    const inheritableCopy = (handle: number): number | null => {
      const copy = [0];
      return duplicate(ownProcess, handle, ownProcess, copy, 0, 1, duplicateSameAccess) === 0
        ? null
        : (copy[0] ?? null);
    };

    /** Calls CreateProcessW; `job` null: suspended, for a Windows that takes no job here. */
    const createWith = (order: ProcessOrder, job: number | null): ProcessStart & { readonly thread?: number } => {
      // The same handle twice is refused.
      const handles = handlesIn([...new Set(order.standard)]);
      const jobs = handlesIn([order.job]);
      const list = Buffer.alloc(attributeBytes);
      const failed = (): ProcessStart => ({ ok: false, error: lastError() });
      if (beginAttributes(list, job === null ? 1 : 2, 0, [list.length]) === 0) return failed();
      try {
        if (addAttribute(list, 0, handleList, handles, handles.length, null, null) === 0) return failed();
        if (job !== null && addAttribute(list, 0, jobList, jobs, jobs.length, null, null) === 0) return failed();
        const how = Buffer.alloc(startup.size);
        how.writeUInt32LE(startup.size, 0);
        how.writeUInt32LE(useHandles, startup.flags);
        for (const [index, at] of [startup.input, startup.output, startup.error].entries())
          how.writeBigInt64LE(BigInt(order.standard[index] ?? 0), at);
        how.writeBigUInt64LE(koffi.address(list), startup.attributes);
        const found = Buffer.alloc(started.size);
        const flags =
          createFlag.unicodeEnvironment |
          createFlag.extendedStartup |
          (order.ownConsole ? createFlag.noWindow : 0) |
          (job === null ? createFlag.suspended : 0);
        // CreateProcessW may write into the line.
        const line = Buffer.from(`${order.commandLine}\0`, 'utf16le');
        if (create(order.file, line, null, null, 1, flags, null, null, how, found) === 0) return failed();
        return {
          ok: true,
          pid: found.readUInt32LE(started.pid),
          process: Number(found.readBigInt64LE(started.process)),
          thread: Number(found.readBigInt64LE(started.thread)),
        };
      } finally {
        endAttributes(list);
      }
    };

    /** It runs only once it is in the job. */
    const createSuspended = (order: ProcessOrder): ProcessStart => {
      const one = createWith(order, null);
      if (!one.ok || one.thread === undefined) return one;
      const inside = assign(order.job, one.process) !== 0;
      const error = inside ? 0 : lastError();
      if (!inside) terminate(one.process, 1);
      resume(one.thread);
      close(one.thread);
      if (inside) return one;
      close(one.process);
      return { ok: false, error };
    };

    return {
      createJob: () => {
        const handle = createJob(null, null);
        return handle === 0 ? null : handle;
      },
      limitJob: (job, flags, processes = 0) => {
        const limits = Buffer.alloc(extendedLimits.size);
        limits.writeUInt32LE(flags, extendedLimits.flags);
        limits.writeUInt32LE(processes, extendedLimits.processes);
        return limitJob(job, jobClass.extendedLimits, limits, limits.length) !== 0;
      },
      job: (job, informationClass, size) => {
        const found = Buffer.alloc(size);
        // A list that does not fit fails, and is filled as far as there is room.
        const whole = queryJob(job, informationClass, found, size, [0]) !== 0;
        return whole || (informationClass === jobClass.processes && found.readUInt32LE(0) > 0) ? found : null;
      },
      terminateJob: (job, status) => terminateJob(job, status) !== 0,
      inheritable: (descriptor) => {
        const handle = handleOf(descriptor);
        const copy = handle === noHandle || handle < 0 ? null : inheritableCopy(handle);
        if (copy !== null) return copy;
        const nothing = openSync(devNull, 'r+');
        try {
          return inheritableCopy(handleOf(nothing));
        } finally {
          closeSync(nothing);
        }
      },
      create: (order) => {
        // A process that leads a group is deaf to Ctrl-C, and so is what it starts, until it says
        // otherwise: the supervisor of a background run is one.
        if (order.ownConsole) hearKeys(null, 0);
        const one = createWith(order, order.job);
        if (!one.ok) return jobListRefused.has(one.error) ? createSuspended(order) : one;
        if (one.thread !== undefined) close(one.thread);
        return one;
      },
      ended: (handle, ms) =>
        new Promise((resolve) => {
          waitFor.async(handle, ms, (error: unknown, result: number) =>
            resolve(
              error !== null && error !== undefined
                ? 'unknown'
                : result === ended
                  ? 'ended'
                  : result === timedOut
                    ? 'lives'
                    : 'unknown',
            ),
          );
        }),
      exitStatus: (handle) => {
        const found = [0];
        return exitStatus(handle, found) === 0 ? null : (found[0] ?? 0) >>> 0;
      },
      close: (handle) => void close(handle),
    };
  } catch (error) {
    return { reason: messageOf(error) };
  }
};

/** Before Windows 10, and where an outer job takes no other: invalid parameter, not supported. */
const jobListRefused: ReadonlySet<number> = new Set([0, 50, 87]);
